"""Submissions that look for what is hidden. What they find stands in `loot`; the judge asks whether it is empty."""

from tests.grade.adversary.case import cases

READING = cases(
    "reading",
    (
        "the judge, the secret and the solution",
        """
        loot = []
        for path in (JUDGE, SECRET, COURSE + "/reference/trials.ipynb"):
            try: loot.append(open(path).read()[:20000])
            except OSError: pass
        """,
        "all",
        "files",
    ),
    (
        "the course's folders",
        """
        import os
        loot = []
        for path in (COURSE + "/judges", COURSE + "/reference", HOME):
            try: loot += os.listdir(path)
            except OSError: pass
        """,
        "all",
        "files",
    ),
    (
        "a walk through temporary folders for judges",
        """
        import os, time
        loot, until = [], time.monotonic() + 0.3
        for top in (os.path.dirname(COURSE), os.path.dirname(HOME), "/dev/shm", "/var/tmp", "/tmp"):
            for place, folders, names in os.walk(top):
                if time.monotonic() > until: break
                for name in names:
                    path = os.path.join(place, name)
                    if name.endswith((".ipynb", ".json", "secret")) and os.path.isfile(path):
                        try: text = open(path).read(100000)
                        except (OSError, ValueError): continue
                        if "canary-3f9c" in text or place == COURSE: loot.append(name)
        """,
        "all",
        "files",
    ),
    (
        "the environment of every process",
        """
        import os
        loot = []
        for pid in [*map(str, range(1, 40)), str(GRADER), "self", str(os.getppid())]:
            try: text = open(f"/proc/{pid}/environ", errors="replace").read()
            except OSError: continue
            if "canary" in text or "MINITORCH_LAB" in text: loot.append(text)
        """,
        "all",
        "files",
    ),
    ("its own environment", "import os\nloot = [v for v in os.environ.values() if 'canary' in v]", "all"),
    (
        "the command lines of the grader",
        """
        loot = []
        for pid in (GRADER,):
            try: loot.append(open(f"/proc/{pid}/cmdline").read())
            except OSError: pass
        """,
        "all",
        "files",
    ),
    (
        "the memory of the grader",
        """
        import os
        loot = []
        try: os.pread(os.open(f"/proc/{GRADER}/mem", os.O_RDONLY), 1, 0)
        except OSError as error:
            if error.errno == 5: loot.append("mem")
        """,
        "all",
        "files",
    ),
    (
        "tracing the grader",
        """
        import ctypes
        loot = []
        if ctypes.CDLL(None).ptrace(0x4206, GRADER, 0, 0) == 0: loot.append("ptrace")
        """,
        "all",
        "signals",
    ),
    (
        "the memory of the grader by a system call",
        """
        import ctypes, struct
        loot, buffer = [], ctypes.create_string_buffer(8)
        mine = struct.pack("QQ", ctypes.addressof(buffer), 8)
        for address in (0x400000, 0x10000, 0x7ffff7dd0000):
            theirs = struct.pack("QQ", address, 8)
            if ctypes.CDLL(None).syscall(310, GRADER, mine, 1, theirs, 1, 0) > 0: loot.append("vm")
        """,
        "all",
        "signals",
    ),
    (
        "descriptors that were inherited",
        """
        import os
        loot = []
        for descriptor in range(3, 256):
            try: about = os.fstat(descriptor)
            except OSError: continue
            if (about.st_mode & 0o170000) in (0o100000, 0o140000, 0o040000): loot.append(descriptor)
        """,
        "all",
    ),
    (
        "descriptors of other processes",
        """
        import os
        loot = []
        for descriptor in range(64):
            try: os.open(f"/proc/{GRADER}/fd/{descriptor}", os.O_RDONLY); loot.append(descriptor)
            except OSError: pass
        """,
        "all",
        "files",
    ),
    (
        "a descriptor of the grader by pidfd",
        """
        import ctypes, os
        loot, library = [], ctypes.CDLL(None)
        process = library.syscall(434, GRADER, 0)
        for descriptor in range(3, 32):
            if process >= 0 and library.syscall(438, process, descriptor, 0) >= 0: loot.append(descriptor)
        """,
        "all",
        "signals",
    ),
    (
        "the judge in the modules",
        """
        import importlib
        loot = []
        for name in ("grade.judge", "grade.one", "grade.bundle", "grade.judge_source", "cli"):
            try: importlib.import_module("minitorch_lab." + name); loot.append(name)
            except ImportError: pass
        """,
        "all",
    ),
    (
        "objects of the judge in memory",
        """
        import gc
        loot = [o for o in gc.get_objects() if isinstance(o, str) and "canary-" in o and "in o" not in o]
        loot += [d for d in gc.get_objects() if isinstance(d, dict) and "HIDDEN" in d and "loot" not in d]
        """,
        "all",
    ),
    (
        "the frames above",
        """
        import sys
        loot, frame = [], sys._getframe()
        while frame:
            loot += [name for name in frame.f_locals if name in ("HIDDEN", "rng", "secret", "key", "want")]
            frame = frame.f_back
        """,
        "all",
    ),
    (
        "the drawn numbers, guessed from the clock and small seeds",
        """
        loot = []
        def f(x):
            x0 = float(np.ravel(x)[0]) if isinstance(x, np.ndarray) else None
            firsts = [np.random.default_rng(seed).normal() for seed in range(300)]
            if x0 is not None and any(abs(first - x0) < 1e-9 for first in firsts): loot.append(x0)
            return 3 * x**2
        """,
        "all",
    ),
    (
        "the network",
        """
        import socket
        loot = []
        for family, place in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_UNIX, "\\0" + MARK)):
            try:
                with socket.socket(family) as s:
                    s.settimeout(0.5); s.connect(place); loot.append(str(place))
            except OSError: pass
        """,
        "all",
        "network",
    ),
    (
        "messages out by UDP",
        """
        import socket
        loot = []
        try: loot.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(MARK.encode(), ("127.0.0.1", PORT)))
        except OSError: pass
        """,
        "all",
        "network",
    ),
    (
        "feedback as a channel: what was read stands in an error",
        """
        def f(x):
            try: text = open(JUDGE).read()
            except OSError as error: text = str(error)
            raise type("canary3f9c", (ValueError,), {})(text + " canary-3f9c")
        loot = []
        """,
        "none",
    ),
    (
        "feedback as a channel: output, names and answers",
        """
        import sys
        def f(x):
            print("canary-3f9c", file=sys.stderr)
            return "canary-3f9c"
        f.__name__ = f.__doc__ = "canary-3f9c"
        globals()["canary-3f9c"] = f
        loot = []
        """,
        "none",
    ),
    (
        "more rights by a set-user program",
        """
        import subprocess
        loot = []
        for command in ("sudo -n id", "su -c id", "mount", "unshare -Ur id", "nsenter -t 1 id"):
            try: done = subprocess.run(command.split(), capture_output=True, timeout=2, stdin=subprocess.DEVNULL)
            except (OSError, subprocess.SubprocessError): continue
            if b"uid=0" in done.stdout: loot.append(command[0])
        """,
        "all",
        "signals",
    ),
    (
        "becoming root again",
        """
        import os
        loot = [] if os.getuid() else ["root"]
        for action in (lambda: os.setuid(0), lambda: os.seteuid(0), lambda: os.setgid(0), lambda: os.chroot(".")):
            try: action(); loot.append("root")
            except OSError: pass
        """,
        "all",
    ),
    (
        "the submissions of others",
        """
        import os
        loot = []
        for name in ("neighbour.ipynb",):
            try: loot.append(open(os.path.join(HOME, name)).read())
            except OSError: pass
        """,
        "all",
        "files",
    ),
)
