"""Submissions that take all there is: processes, memory, output, files, descriptors."""

from tests.grade.adversary.case import cases

EXHAUSTING = cases(
    "exhausting",
    (
        "forks without end",
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "none",
        "",
        ("processes", "time", "memory"),
    ),
    (
        "forks that leave",
        """
        import os, time
        for _ in range(30):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0: time.sleep(1000)
                os._exit(0)
        """,
        "some",
    ),
    (
        "processes that sleep",
        "import subprocess\nchildren = [subprocess.Popen(['sleep', '1000', ]) for _ in range(8)]",
        "all",
    ),
    (
        "threads without end",
        """
        import threading, time
        while True:
            try: threading.Thread(target=time.sleep, args=(1000,)).start()
            except RuntimeError: pass
        """,
        "none",
        "",
        ("processes", "time"),
    ),
    (
        "memory in one process",
        "def f(x):\n    hold = []\n    while True: hold.append(bytearray(1 << 24))",
        "none",
        "",
        (),
    ),
    (
        "memory that is touched slowly",
        "import time\nhold = []\nwhile True:\n    hold.append(b'x' * (1 << 24))\n    time.sleep(0.01)",
        "none",
        "",
        ("memory", "error", "time"),
    ),
    (
        "memory in many processes",
        """
        import os, time
        for _ in range(12):
            if os.fork() == 0:
                hold = b"x" * (48 << 20)
                time.sleep(1000)
        time.sleep(1000)
        """,
        "none",
        "",
        ("memory", "time"),
    ),
    (
        "shared memory",
        "import mmap\nhold = [mmap.mmap(-1, 1 << 26) for _ in range(8)]\nfor m in hold: m.write(b'x' * (1 << 26))",
        "none",
        "",
        ("memory", "error", "time"),
    ),
    (
        "memory in files without a name",
        "import os\nf0 = os.memfd_create('x')\nwhile True: os.write(f0, b'x' * (1 << 20))",
        "none",
        "",
        ("error", "time", "memory"),
    ),
    ("an array of all memory", "def f(x): return np.ones((1 << 40,))", "none"),
    ("output without end", "while True: print('canary' * 100)", "none", "", ("output", "time")),
    ("output on the other stream", "import os\nwhile True: os.write(2, b'x' * 65536)", "none", "", ("output", "time")),
    ("output from a child", "import subprocess\nsubprocess.run(['yes'])", "none", "", ("output", "time")),
    (
        "one large file",
        "with open('big', 'wb') as file:\n    while True: file.write(b'x' * (1 << 20))",
        "none",
        "",
        ("files", "error"),
    ),
    (
        "many large files",
        "n = 0\nwhile True:\n    n += 1\n    with open(f'big{n}', 'wb') as file: file.write(b'x' * (1 << 20))",
        "none",
        "",
        ("files", "error"),
    ),
    ("many small files", "n = 0\nwhile True:\n    n += 1\n    open(f'small{n}', 'w').close()", "none", "", ("files",)),
    ("folders without end", "import os\nwhile True:\n    os.mkdir('d'); os.chdir('d')", "none", "", ("files", "error")),
    (
        "a folder that may not be opened",
        "import os\nos.makedirs('shut/in'); open('shut/in/x', 'w').close(); os.chmod('shut', 0)",
        "some",
    ),
    (
        "names that are odd",
        r"""
        import os
        for name in (b"\xff\xfe", b"a\nb", b"-rf", b" ", b"x" * 255): open(name, "w").close()
        os.symlink("/", "root"); os.symlink(HOME, "home"); os.mkfifo("pipe")
        """,
        "all",
    ),
    ("a sparse file", "with open('sparse', 'wb') as file:\n    file.truncate(1 << 50)", "none", "", ("error", "files")),
    (
        "descriptors without end",
        "import os\nhold = []\nwhile True: hold.append(os.dup(0))",
        "none",
        "",
        ("error", "time"),
    ),
    ("pipes without end", "import os\nhold = []\nwhile True: hold.append(os.pipe())", "none", "", ("error", "time")),
)
