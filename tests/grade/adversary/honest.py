"""Honest answers in odd clothes: every one must get all its points."""

from tests.grade.adversary.case import cases

HONEST = cases(
    "honest",
    (
        "warnings",
        "import warnings\nwarnings.warn('careful')\nnp.log(np.array([-1.0]))\nwarnings.simplefilter('error')",
        "all",
    ),
    (
        "noise on both streams",
        "import sys\nfor n in range(200): print('step', n, file=[sys.stdout, sys.stderr][n % 2])",
        "all",
    ),
    ("seeds that are set", "import random\nrandom.seed(0); np.random.seed(0); ml.manual_seed(0)", "all"),
    ("another path in floating point", "def f(x): return (x + x + x) * x", "all"),
    ("a whole number where a float may be", "def f(x): return 12 if isinstance(x, float) else 3 * x**2", "all"),
    (
        "a thread that lingers",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
        "all",
    ),
    ("a process that lingers", "import subprocess\nsubprocess.Popen(['sleep', '1000'])", "all"),
    ("input is asked for", "name = input('Your name? ')\nprint('Hello', name)", "all"),
    (
        "magics",
        "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n!pip install something\n%timeit -n 1 f(2.0)",
        "all",
    ),
    ("a line of help", "f?\n?np.sum", "all"),
    ("time measured", "%time y = f(3.0)\nassert y == 27.0", "all"),
    ("a display", "display(f(2.0))\nfrom IPython.display import display as show, Markdown\nshow(Markdown('x'))", "all"),
    ("an await", "import asyncio\nawait asyncio.sleep(0.01)", "all"),
    ("an error after the definition", "print(undefined_name)", "all"),
    ("an assertion of its own that fails", "assert f(2.0) == 13, 'hm'", "all"),
    ("a system exit after the definition", "import sys\nsys.exit(0)", "all"),
    ("a lambda", "f = lambda x: 3 * x * x", "all"),
    ("an object that is called", "class F:\n    def __call__(self, x): return 3 * x**2\nf = F()", "all"),
    ("a decorator", "import functools\n\n@functools.wraps(f)\ndef g(x): return f_(x)\nf_, f = f, g", "all"),
    ("a method that was taken out", "class A:\n    def m(self, x): return 3 * x**2\nf = A().m", "all"),
    (
        "type hints and a docstring",
        'def f(x: np.ndarray | float) -> \'np.ndarray\':\n    """Ünïcödé, λ and 漢字."""\n    return 3 * x**2',
        "all",
    ),
    (
        "an array in Fortran's order",
        "def f(x): return np.asfortranarray(3 * x**2) if isinstance(x, np.ndarray) else 3 * x**2",
        "all",
    ),
    (
        "a view with strides",
        "def f(x): return np.repeat(3 * x**2, 2, axis=-1)[..., ::2] if isinstance(x, np.ndarray) else 3 * x**2",
        "all",
    ),
    (
        "an array of the other byte order",
        "def f(x): return (3 * x**2).astype('>f8') if isinstance(x, np.ndarray) else 3 * x**2",
        "all",
    ),
    ("a NumPy scalar", "def f(x): return np.float64(3) * x**2", "all"),
    (
        "plots without a screen",
        "try:\n    import matplotlib.pyplot as plt\n    plt.plot([1, 2]); plt.show()\nexcept ImportError: pass",
        "all",
    ),
    (
        "a widget",
        "with ml.record() as rec:\n    ml.tensor(1.0, requires_grad=True).exp().backward()\nml.widgets.Tape(rec)",
        "all",
    ),
    (
        "files of its own",
        """
        import tempfile
        open("notes.txt", "w").write("x")
        assert open("notes.txt").read() == "x"
        tempfile.NamedTemporaryFile().write(b"x")
        """,
        "all",
    ),
    (
        "a pool of processes",
        "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as pool: pool.map(abs, [1, -2])",
        "all",
    ),
    (
        "a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor as T\nwith T(4) as pool: list(pool.map(abs, range(9)))",
        "all",
    ),
    ("a good deal of memory for a moment", "a = np.ones(1 << 23); del a", "all"),
    ("a main guard", "if __name__ == '__main__':\n    print(f(1.0))", "all"),
    ("star imports and reloads", "from math import *\nimport importlib\nimportlib.reload(math)", "all"),
)
