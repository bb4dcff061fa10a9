"""Lazy layers: they learn how many features come in from their first input, and are then the layers they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import ShapeError
from ..ops.random import DEFAULT
from ..tensors.tensor import Tensor
from .batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from .conv import Conv1d, Conv2d, Conv3d
from .conv_transpose import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from .linear import Linear
from .module import Module
from .uninitialized import Uninitialized, UninitializedBuffer, UninitializedParameter, filled


class Lazy(Module):
    """What the lazy layers share: a recipe for the layer, in which one size is left open.

    Its parameters are there from the start, without a shape: `to`, `state_dict` and `load_state_dict` take them. The
    first call makes a layer by the recipe, of the size of the input, and takes over what it holds.
    """

    cls_to_become: type[Module]  # the layer it stands for
    counted = "num_features"  # the size that is left open
    axis = 1  # the axis of the input that has this size
    ranks: tuple[int, ...]  # how many axes an input may have; any number if empty
    recipe: dict[str, Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Where a layer counts the axes of its places, channels stand before them, with a batch or without."""
        super().__init_subclass__(**kwargs)
        if axes := getattr(cls, "axes", 0):
            cls.axis, cls.ranks = -axes - 1, (axes + 1, axes + 2)

    def prepare(self, least: int, **recipe: Any) -> None:
        """Keep the recipe, having tried it with the least possible size, and make room for what it will make."""
        pattern = self.sample(least, recipe)
        vars(self).update({name: part for name, part in vars(pattern).items() if name != "_hooks"})
        self.recipe = recipe
        setattr(self, self.counted, 0)
        for home, kind in (("_parameters", UninitializedParameter), ("_buffers", UninitializedBuffer)):
            for name, tensor in vars(self)[home].items():
                if tensor is not None and tensor.ndim:  # a single number, such as a count, has its shape already
                    self._keep(home, name, kind(tensor.requires_grad, tensor.dtype))

    def sample(self, size: int, recipe: dict[str, Any]) -> Module:
        """A layer made by the recipe, whose numbers are drawn without being missed."""
        drawn = DEFAULT.get_state()
        made = self.cls_to_become(size, **recipe)
        DEFAULT.set_state(drawn)
        return made

    def waiting(self) -> Iterator[Tensor]:
        """The parameters and buffers without a shape."""
        for tensor in (*self._parameters.values(), *self._buffers.values()):
            if isinstance(tensor, Uninitialized):
                yield tensor

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer has no shape yet.

        Example:
            >>> from minitorch_lab import nn
            >>> layer = nn.LazyLinear(3)
            >>> layer.has_uninitialized_params()
            True
        """
        return any(True for _ in self.waiting())

    def initialize_parameters(self, x: Tensor, *_: Any, **__: Any) -> None:
        """Give every parameter and buffer that lacks one the shape that `x` asks for, and its starting values.

        Raises:
            ShapeError: The input has other axes, or other features than the weights that were loaded.
        """
        name, size = type(self).__name__, self.size_in(x)
        open_ones = list(self.waiting())
        recipe = {**self.recipe, "dtype": open_ones[0].dtype if open_ones else self.recipe["dtype"]}
        made = self.cls_to_become(size, **recipe) if open_ones else self.sample(size, recipe)
        pairs = [
            (own, new)
            for home in ("_parameters", "_buffers")
            for key, new in vars(made)[home].items()
            if new is not None and (own := vars(self)[home].get(key)) is not None
        ]
        for own, new in pairs:
            if not isinstance(own, Uninitialized) and own.shape != new.shape:
                raise ShapeError(
                    f"{name} got an input of shape {tuple(x.shape)}, and has loaded a tensor of shape {own.shape}.",
                    f"For {size} features that tensor would have the shape {new.shape}.",
                    "Load a state that was saved with inputs like this one.",
                )
        for own, new in pairs:
            if isinstance(own, Uninitialized):
                filled(own, new)
        setattr(self, self.counted, size)

    def size_in(self, x: Tensor) -> int:
        """How many features `x` has.

        Raises:
            ShapeError: It has other axes.
        """
        if x.ndim not in self.ranks if self.ranks else not x.ndim:
            axes = " or ".join(map(str, self.ranks)) or "1 or more"
            raise ShapeError(
                f"{type(self).__name__} got an input of shape {tuple(x.shape)}.",
                f"It takes {axes} axes; axis {self.axis} tells its {self.counted}.",
                "Compare the number of axes; unsqueeze(0) adds one for the batch.",
            )
        return x.shape[self.axis]

    def forward(self, x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The first call: learn the size, become the layer, and be called as that."""
        self.initialize_parameters(x)
        del self.recipe
        self.__class__ = self.cls_to_become  # pyright: ignore[reportAttributeAccessIssue]
        return self.forward(x, *args, **kwargs)

    vars(forward)["__opaque__"] = (
        True  # a compiled call leaves it to Python, and captures the layer from the next one on
    )


class LazyLinear(Lazy, Linear):
    """`Linear` that learns `in_features` from its first input.

    Until then `weight` and `bias` are `UninitializedParameter`s. The first call gives them shape and starting values,
    where they are, and the layer is a `Linear` from then on.

    Args:
        out_features: Length of the last axis of `y`.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (..., in_features), weight (out_features, in_features), bias (out_features,), y (..., out_features).

    Raises:
        ArgumentError: A size is not a positive whole number; or a parameter is counted or changed before the first
            call.
        ShapeError: The first input is a single number, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyLinear(2)
        >>> layer
        LazyLinear(in_features=0, out_features=2, bias=True)
        >>> layer(ml.ones(5, 3)).shape, layer
        ((5, 2), Linear(in_features=3, out_features=2, bias=True))
    """

    cls_to_become, counted, axis, ranks = Linear, "in_features", -1, ()

    def __init__(self, out_features: int, bias: bool = True, dtype: Any = None, device: Any = None) -> None:
        """Keep the settings."""
        self.prepare(1, out_features=out_features, bias=bias, dtype=dtype)


class LazyConvolution(Lazy):
    """What the lazy convolutions share."""

    counted = "in_channels"

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
        padding_mode: str = "zeros",
    ) -> None:
        """Keep the settings."""
        self.prepare(
            groups,
            out_channels=out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            bias=bias,
            dtype=dtype,
            padding_mode=padding_mode,
        )


class LazyTransposed(Lazy):
    """What the lazy transposed convolutions share."""

    counted = "in_channels"

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Keep the settings."""
        self.prepare(
            groups,
            out_channels=out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            groups=groups,
            bias=bias,
            dilation=dilation,
            dtype=dtype,
        )


class LazyBatchNorm(Lazy):
    """What the lazy batch norms share."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
        device: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        """Keep the settings."""
        self.prepare(
            1,
            eps=eps,
            momentum=momentum,
            affine=affine,
            track_running_stats=track_running_stats,
            dtype=dtype,
            bias=bias,
        )


class LazyInstanceNorm(Lazy):
    """What the lazy instance norms share."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Keep the settings."""
        self.prepare(1, eps=eps, momentum=momentum, affine=affine, track_running_stats=track_running_stats, dtype=dtype)


class LazyConv1d(LazyConvolution, Conv1d):
    """`Conv1d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Length of the kernel.
        stride: Distance between places.
        padding: Zeros on all sides; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, channels, length), with or without the batch; all else as in `Conv1d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConv1d(4, 3)
        >>> layer(ml.rand(2, 3, 4)).shape, layer.in_channels
        ((2, 4, 2), 3)
    """

    cls_to_become = Conv1d


class LazyConv2d(LazyConvolution, Conv2d):
    """`Conv2d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Height and width of the kernel, or one number for both; so for the settings below.
        stride: Distance between places.
        padding: Zeros on all sides; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, channels, height, width), with or without the batch; all else as in `Conv2d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConv2d(4, 3)
        >>> layer(ml.rand(2, 3, 4, 4)).shape, layer.in_channels
        ((2, 4, 2, 2), 3)
    """

    cls_to_become = Conv2d


class LazyConv3d(LazyConvolution, Conv3d):
    """`Conv3d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Lengths of the kernel, or one number for all; so for the settings below.
        stride: Distance between places.
        padding: Zeros on all sides; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; all else as in `Conv3d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConv3d(4, 3)
        >>> layer(ml.rand(2, 3, 4, 4, 4)).shape, layer.in_channels
        ((2, 4, 2, 2, 2), 3)
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(LazyTransposed, ConvTranspose1d):
    """`ConvTranspose1d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Length of the kernel.
        stride: Distance between kernels that are laid down.
        padding: What is taken away on all sides.
        output_padding: Entries that are added at the end of each axis.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, length), with or without the batch; all else as in `ConvTranspose1d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConvTranspose1d(4, 2, stride=2)
        >>> layer(ml.rand(2, 3, 4)).shape, layer.in_channels
        ((2, 4, 8), 3)
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(LazyTransposed, ConvTranspose2d):
    """`ConvTranspose2d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Height and width of the kernel, or one number for both; so for the settings below.
        stride: Distance between kernels that are laid down.
        padding: What is taken away on all sides.
        output_padding: Entries that are added at the end of each axis.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, height, width), with or without the batch; all else as in `ConvTranspose2d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConvTranspose2d(4, 2, stride=2)
        >>> layer(ml.rand(2, 3, 4, 4)).shape, layer.in_channels
        ((2, 4, 8, 8), 3)
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(LazyTransposed, ConvTranspose3d):
    """`ConvTranspose3d` that learns `in_channels` from its first input, as `LazyLinear`.

    Args:
        out_channels: Channels that go out.
        kernel_size: Lengths of the kernel, or one number for all; so for the settings below.
        stride: Distance between kernels that are laid down.
        padding: What is taken away on all sides.
        output_padding: Entries that are added at the end of each axis.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; all else as in `ConvTranspose3d`.

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels;
            or a parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyConvTranspose3d(4, 2, stride=2)
        >>> layer(ml.rand(2, 3, 4, 4, 4)).shape, layer.in_channels
        ((2, 4, 8, 8, 8), 3)
    """

    cls_to_become = ConvTranspose3d


class LazyBatchNorm1d(LazyBatchNorm, BatchNorm1d):
    """`BatchNorm1d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels) or (batch, channels, length); all else as in `BatchNorm1d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyBatchNorm1d()
        >>> layer(ml.rand(2, 3, 4)).shape, layer.num_features
        ((2, 3, 4), 3)
    """

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(LazyBatchNorm, BatchNorm2d):
    """`BatchNorm2d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels, height, width); all else as in `BatchNorm2d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyBatchNorm2d()
        >>> layer(ml.rand(2, 3, 4, 4)).shape, layer.num_features
        ((2, 3, 4, 4), 3)
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(LazyBatchNorm, BatchNorm3d):
    """`BatchNorm3d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels, depth, height, width); all else as in `BatchNorm3d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyBatchNorm3d()
        >>> layer(ml.rand(2, 3, 4, 4, 4)).shape, layer.num_features
        ((2, 3, 4, 4, 4), 3)
    """

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(LazyInstanceNorm, InstanceNorm1d):
    """`InstanceNorm1d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: False leaves `weight` and `bias` out, which `InstanceNorm1d` does unasked.
        track_running_stats: False keeps no averages, as `InstanceNorm1d` unasked.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, length), with or without the batch; all else as in `InstanceNorm1d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyInstanceNorm1d()
        >>> layer(ml.rand(2, 3, 4)).shape, layer.num_features
        ((2, 3, 4), 3)
    """

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(LazyInstanceNorm, InstanceNorm2d):
    """`InstanceNorm2d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: False leaves `weight` and `bias` out, which `InstanceNorm2d` does unasked.
        track_running_stats: False keeps no averages, as `InstanceNorm2d` unasked.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, height, width), with or without the batch; all else as in `InstanceNorm2d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyInstanceNorm2d()
        >>> layer(ml.rand(2, 3, 4, 4)).shape, layer.num_features
        ((2, 3, 4, 4), 3)
    """

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(LazyInstanceNorm, InstanceNorm3d):
    """`InstanceNorm3d` that learns `num_features` from its first input, as `LazyLinear`.

    Args:
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: False leaves `weight` and `bias` out, which `InstanceNorm3d` does unasked.
        track_running_stats: False keeps no averages, as `InstanceNorm3d` unasked.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; all else as in `InstanceNorm3d`.

    Raises:
        ArgumentError: A parameter is counted or changed before the first call.
        ShapeError: The first input has other axes, or does not fit weights that were loaded.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.LazyInstanceNorm3d()
        >>> layer(ml.rand(2, 3, 4, 4, 4)).shape, layer.num_features
        ((2, 3, 4, 4, 4), 3)
    """

    cls_to_become = InstanceNorm3d
