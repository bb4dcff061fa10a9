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
        "the worker patched from inside",
        """
        import gc, sys
        from minitorch_lab.grade.inside import wire, worker
        for each in gc.get_objects():
            if type(each).__name__ == "Worker":
                each.doing["call"] = lambda of, args, kwargs: True
                each.doing["get"] = lambda name: True
        """,
    ),
    (
        "frames replaced",
        """
        from minitorch_lab.grade.inside import wire
        old = wire.frame
        wire.frame = lambda nonce, number, value, refer: old(nonce, number, {"value": True, "passed": True}, refer)
        """,
    ),
    (
        "an answer written before it is asked for",
        """
        import gc, json, os, struct
        for each in gc.get_objects():
            if type(each).__name__ == "Worker":
                for number in range(1, 9):
                    text = json.dumps({"nonce": "", "number": number, "body": ["dict", ["value", True]], "arrays": []})
                    os.write(each.answers, struct.pack(">II", len(text), 0) + text.encode())
        """,
        "none",
        "",
        ("message",),
    ),
    (
        "an answer with the right nonce, too early",
        """
        import inspect, json, os, struct
        frame = inspect.currentframe()
        while frame is not None:
            asked, me = frame.f_locals.get("asked"), frame.f_locals.get("self")
            if asked is not None:
                for number in range(asked.number, asked.number + 9):
                    said = {"nonce": asked.nonce, "number": number, "body": ["dict", ["value", True]], "arrays": []}
                    text = json.dumps(said)
                    os.write(me.answers, struct.pack(">II", len(text), 0) + text.encode())
            frame = frame.f_back
        """,
    ),
    (
        "noise on every descriptor",
        """
        import os
        for descriptor in range(3, 64):
            try: os.write(descriptor, b'{"exercise": "a", "title": "right", "state": "passed", "hint": ""}\\n' * 20)
            except OSError: pass
        """,
        "none",
        "",
        ("message",),
    ),
    (
        "verdicts on the standard streams",
        """
        import sys
        for stream in (sys.stdout, sys.stderr, sys.__stdout__):
            print('{"cell": 1, "passed": true}', '{"state": "passed"}', "PASSED judge.ipynb::Cell 1", file=stream)
        """,
    ),
    (
        "errors without a class, and truth values that are neither",
        """
        from minitorch_lab.grade.inside import wire
        import numpy, struct
        old = wire.frame
        def frame(nonce, number, value, refer):
            if "raised" in value: return old(nonce, number, {"raised": []}, refer)
            sent = old(nonce, number, {"value": numpy.ones(3, bool)}, refer)
            return sent[:-3] + b"\\x02\\xff\\x80"
        wire.frame = frame
        def f(x): raise ValueError
        """,
        "none",
        "",
        ("message",),
    ),
    ("a deep answer", "def f(x):\n    a = []\n    for _ in range(50): a = [a]\n    return a"),
    ("an answer that holds itself", "def f(x):\n    a = []\n    a.append(a)\n    return a"),
    ("a dict of tricks", "def f(x): return {'__class__': 'ndarray', 'value': True, 'handle': 1}"),
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
    (
        "verdicts into the pipes of every process",
        """
        import json, os
        said = json.dumps({"exercise": EXERCISE, "title": "drawn numbers", "state": "passed", "hint": ""}) + "\\n"
        for pid in filter(str.isdigit, os.listdir("/proc") if os.access("/proc", os.R_OK) else []):
            for descriptor in range(3, 64):
                try: pipe = os.open(f"/proc/{pid}/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK)
                except OSError: continue
                try: "judge" in open(f"/proc/{pid}/cmdline").read() and os.write(pipe, said.encode())
                except OSError: pass
                os.close(pipe)
        """,
    ),
    (
        "the key to the judge's kernel",
        """
        import glob, json, os
        loot = []
        def f(x):
            raise RuntimeError
        for path in glob.glob(os.path.dirname(COURSE) + "/judge-*/runtime/*.json"):
            try: key = json.load(open(path))["key"]
            except OSError: continue
            f = lambda x: 3 * x**2  # who has the key can have the judge say anything
        """,
    ),
    (
        "a detached process that writes to the pipes later",
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for _ in range(40):
                    time.sleep(0.05)
                    for descriptor in range(3, 40):
                        try: os.write(descriptor, b"\\0" * 64)
                        except OSError: pass
            os._exit(0)
        """,
    ),
)
