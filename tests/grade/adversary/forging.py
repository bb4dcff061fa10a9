"""Submissions that want points for a wrong answer: by hooks, patches, agreeable objects, and forged messages."""

from tests.grade.adversary.case import cases

FORGING = cases(
    "forging",
    (
        "an object that equals everything",
        """
        class Yes:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __bool__(self): return True
            def __array__(self, *a, **k): return np.zeros(4)
            def __abs__(self): return 0
            __sub__ = __rsub__ = __lt__ = __le__ = lambda self, other: self
        def f(x): return Yes()
        """,
    ),
    (
        "an array that equals everything",
        """
        class Yes(np.ndarray):
            def __array_ufunc__(self, *a, **k): return np.True_
            def __array_function__(self, *a, **k): return True
            def __eq__(self, other): return True
        def f(x): return np.zeros(np.shape(x)).view(Yes)
        """,
    ),
    (
        "a float that equals everything",
        """
        class Yes(float):
            def __eq__(self, other): return True
            __hash__ = float.__hash__
        def f(x): return Yes(0)
        """,
    ),
    ("not a number everywhere", "def f(x): return np.full(np.shape(x), np.nan)"),
    ("an empty array", "def f(x): return np.zeros(0)"),
    ("a shape that stretches", "def f(x): return np.zeros((1, 1, 4))"),
    ("true for an answer", "def f(x): return True"),
    ("an infinite answer", "def f(x): return np.full(np.shape(x), np.inf)"),
    ("object arrays", "def f(x): return np.array([lambda: 1] * 4, dtype=object)"),
    ("strings for numbers", "def f(x): return '12.0'"),
    (
        "patched assertions and builtins",
        """
        import builtins
        class AssertionError(Exception): pass
        builtins.AssertionError = AssertionError
        for name in ("abs", "all", "any", "isinstance", "len", "type", "getattr", "float"):
            setattr(builtins, name + "_", getattr(builtins, name))
        builtins.all = builtins.any = builtins.isinstance = lambda *a, **k: True
        """,
    ),
    (
        "patched numpy",
        """
        np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
        np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
        np.ndarray = object
        """,
    ),
    (
        "a patched engine",
        """
        ml.Tensor.numpy = lambda self: np.zeros(4)
        ml.Tensor.grad = property(lambda self: self)
        ml.tensor = lambda *a, **k: 7
        """,
    ),
    (
        "poisoned modules",
        """
        import sys, types
        class Loose(types.ModuleType):
            def __getattr__(self, name): return lambda *a, **k: True
        for name in ("numpy", "numpy.testing", "json", "struct", "pytest", "unittest", "minitorch_lab", "math"):
            sys.modules[name] = Loose(name)
        """,
    ),
    (
        "an import hook",
        """
        import sys
        class Finder:
            def find_spec(self, *a): raise SystemExit(0)
        sys.meta_path.insert(0, Finder())
        """,
    ),
    (
        "trace and profile hooks",
        """
        import sys, threading
        def hook(frame, event, arg):
            for name in ("value", "answer", "got"):
                if name in frame.f_locals: frame.f_locals[name] = True
            return hook
        sys.settrace(hook); sys.setprofile(hook); threading.settrace(hook)
        """,
    ),
    (
        "a pickle that would run",
        """
        class Bomb:
            def __reduce__(self):
                import os
                return os.system, ("touch dropped",)
        def f(x): return Bomb()
        """,
    ),
    ("an error called AssertionError with a pass in it", "def f(x): raise AssertionError('passed')"),
    (
        "an error with a class of many names",
        """
        Kind = type("x" * 10**6, (Exception,), {})
        def f(x): raise Kind("passed" * 10**6)
        """,
    ),
    ("an error that cannot be shown", "class E(Exception):\n    __str__ = __repr__ = None\ndef f(x): raise E"),
    ("an error that is a system exit", "def f(x): raise SystemExit(0)"),
    ("a keyboard interrupt", "def f(x): raise KeyboardInterrupt"),
    ("a generator exit", "def f(x): raise GeneratorExit"),
    ("an attribute that lies about its type", "class A:\n    __class__ = np.ndarray\ndef f(x): return A()"),
    ("a coroutine", "async def f(x): return 3 * x**2"),
    (
        "marks for the test runner",
        """
        # NBVAL_SKIP
        # NBVAL_RAISES_EXCEPTION
        # PYTEST_VALIDATE_IGNORE_OUTPUT
        pytestmark = "skip"
        def pytest_runtest_makereport(item, call): return None
        """,
    ),
    (
        "a definition of the judge's own words",
        """
        def submission(*a): return None
        def check(*a, **k): return None
        def close(*a, **k): return True
        """,
    ),
    (
        "an audit hook and an exit hook",
        """
        import atexit, os, sys
        sys.addaudithook(lambda *a: None)
        atexit.register(lambda: os._exit(0))
        sys.excepthook = lambda *a: os._exit(0)
        """,
    ),
    (
        "files of the judge dropped where it might look",
        """
        import os
        for name in ("conftest.py", "pytest.ini", "sitecustomize.py", "usercustomize.py", "numpy.py", "judge.ipynb"):
            for folder in (".", HOME, COURSE, "/tmp", os.path.dirname(JUDGE)):
                try: open(os.path.join(folder, name + MARK), "w").write("raise SystemExit(0)")
                except OSError: pass
        """,
        "none",
        "writes",
    ),
    (
        "a start-up file for later interpreters",
        """
        import os, site, sys
        places = [os.path.expanduser("~/.ipython/profile_default/startup"), *site.getsitepackages(), sys.prefix]
        places += [HOME, "/dev/shm", "/var/tmp", "/tmp"]
        for place in places:
            try: open(os.path.join(place, MARK + ".pth"), "w").write("import os; os._exit(0)")
            except OSError: pass
        """,
        "none",
        "writes",
    ),
)
