"""Submissions that do not end, or shoot at what stands around them."""

from tests.grade.adversary.case import cases

ENDED = ("time", "call", "ended")
SLOW = ("time", "call")

HANGING = cases(
    "hanging",
    ("a loop in the cell", "while True: pass", "none", "", ("time",)),
    ("a loop in the function", "def f(x):\n    while True: pass", "none", "", SLOW),
    (
        "a loop that swallows interrupts",
        """
        import signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True:
            try:
                while True: pass
            except BaseException: pass
        """,
        "none",
        "",
        ("time",),
    ),
    ("a loop in C", "def f(x): return 10 ** (10 ** 9)", "none", "", (*SLOW, "memory")),
    ("a sleep", "def f(x):\n    import time\n    time.sleep(1000)", "none", "", SLOW),
    ("a stopped process", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "none", "", SLOW),
    ("a lock taken twice", "import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()", "none", "", ("time",)),
    (
        "an answer that never ends",
        """
        import os, struct, gc, time
        def f(x):
            for each in gc.get_objects():
                if type(each).__name__ == "Worker":
                    os.write(each.answers, struct.pack(">II", 1000, 0) + b"{")
            time.sleep(1000)
        """,
        "none",
        "",
        SLOW,
    ),
    (
        "an answer that drips",
        """
        import os, struct, gc, time
        def f(x):
            for each in gc.get_objects():
                if type(each).__name__ == "Worker":
                    os.write(each.answers, struct.pack(">II", 100000, 0))
                    while True:
                        os.write(each.answers, b" ")
                        time.sleep(0.1)
        """,
        "none",
        "",
        SLOW,
    ),
    ("an answer larger than any", "def f(x): return np.zeros(1 << 24)", "none", "", ("message", "memory")),
    (
        "a length that promises too much",
        """
        import os, struct, gc
        def f(x):
            for each in gc.get_objects():
                if type(each).__name__ == "Worker": os.write(each.answers, struct.pack(">II", 2**32 - 1, 2**32 - 1))
        """,
        "none",
        "",
        ("message",),
    ),
    (
        "brackets without end in a message",
        """
        import os, struct, gc
        def f(x):
            text = b"[" * 500000
            for each in gc.get_objects():
                if type(each).__name__ == "Worker":
                    text = struct.pack(">II", len(text), 0) + text
                    while text: text = text[os.write(each.answers, text):]
        """,
        "none",
        "",
        ("message",),
    ),
    ("pipes that are closed", "import os\nos.closerange(0, 256)", "none", "", ENDED),
    ("an exit", "import os\nos._exit(0)", "none", "", ("ended",)),
    (
        "an exit by system exit in a thread",
        "import os, threading\nthreading.Thread(target=os._exit, args=(0,)).start()\nimport time\ntime.sleep(9)",
        "none",
        "",
        ("ended",),
    ),
    ("a crash", "import ctypes\nctypes.string_at(0)", "none", "", ("ended",)),
    ("an abort", "import os\nos.abort()", "none", "", ("ended", "time")),
    (
        "recursion until the stack ends",
        "import sys\nsys.setrecursionlimit(10**8)\ndef g(n): return g(n + 1) + 1\ndef f(x): return g(0)",
        "none",
    ),
    ("its parent is stopped", "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)", "some"),
    (
        "its parent's memory",
        """
        import os
        try: os.pwrite(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR), bytes(4096), id(os))
        except OSError: pass
        """,
        "some",
    ),
    (
        "signals to its parent",
        "import os, signal\nfor n in (9, 15, 2, 1, 19):\n    try: os.kill(os.getppid(), n)\n    except OSError: pass",
        "some",
        "signals",
    ),
    (
        "signals to the grader",
        "import os\nfor n in (9, 15, 19):\n    try: os.kill(GRADER, n)\n    except OSError: pass",
        "some",
        "signals",
    ),
    ("signals to its group", "import os\ntry: os.killpg(0, 9)\nexcept OSError: pass", "some", "", ()),
    (
        "signals to everybody",
        "import os\nfor target in (-1, 0):\n    try: os.kill(target, 9)\n    except OSError: pass",
        "some",
        "signals",
    ),
    (
        "signals by another call",
        "import ctypes\nfor n in (200, 129, 297): ctypes.CDLL(None).syscall(n, GRADER, 9, 0)",
        "some",
        "signals",
    ),
    (
        "limits of the grader lowered",
        "import resource as r\ntry: r.prlimit(GRADER, r.RLIMIT_NOFILE, (0, 0))\nexcept (OSError, ValueError): pass",
        "some",
        "signals",
    ),
    (
        "signals by the owner of a pipe",
        """
        import fcntl, os
        ours, theirs = os.pipe()
        try:
            fcntl.fcntl(ours, fcntl.F_SETOWN, GRADER)
            fcntl.fcntl(ours, 10, 9)
            fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(theirs, b"x")
        except OSError: pass
        """,
        "some",
        "signals",
    ),
    (
        "everybody's scheduling",
        """
        import ctypes, os
        for action in (
            lambda: os.setpriority(os.PRIO_USER, 0, 19),
            lambda: os.setpriority(os.PRIO_PROCESS, GRADER, 19),
            lambda: ctypes.CDLL(None).syscall(251, 3, os.getuid(), 3 << 13),
        ):
            try: action()
            except OSError: pass
        """,
        "all",
        "writes",
    ),
    (
        "modes, owners, times and lengths of files outside",
        """
        import os
        for path in (HOME + "/neighbour.ipynb", SECRET, JUDGE, COURSE + "/reference", COURSE + "/judges", HOME, COURSE):
            for action in (
                lambda: os.truncate(path, 0),
                lambda: os.utime(path, (0, 0)),
                lambda: os.setxattr(path, "user." + MARK, b"x"),
                lambda: os.chown(path, os.getuid(), os.getgid()),
                lambda: os.chmod(path, 0o777),
                lambda: os.rename(path, path + MARK),
            ):
                try: action()
                except OSError: pass
        """,
        "all",
        "writes",
    ),
    (
        "the grader's scheduling",
        """
        import os
        for action in (
            lambda: os.sched_setaffinity(GRADER, {0}),
            lambda: os.setpriority(os.PRIO_PROCESS, GRADER, 19),
        ):
            try: action()
            except OSError: pass
        """,
        "all",
        "signals",
    ),
)
