"""Section F: other processes."""
import signal
import subprocess
import threading
import time


def PX_01a(fx):
    """os.system"""
    return must(os.system("true") == 0)


def PX_01b(fx):
    """subprocess"""
    return subprocess.run(["/bin/true"], check=True).returncode


def PX_01c(fx):
    """posix_spawn"""
    pid = os.posix_spawn("/bin/true", ["true"], {})
    return must(os.waitpid(pid, 0)[1] == 0)


def PX_01d(fx):
    """execv: the same process, another program"""
    print("trying", flush=True)
    os.execv("/bin/sh", ["sh", "-c", "echo OPEN exec"])


def PX_01e(fx):
    """execveat"""
    print("trying", flush=True)
    argv = (ctypes.c_char_p * 4)(b"sh", b"-c", b"echo OPEN execveat", None)
    env = (ctypes.c_char_p * 1)(None)
    return syscall("execveat", -100, ctypes.c_char_p(b"/bin/sh"), argv, env, 0)


def PX_01f(fx):
    """a program of the host that is not the system's"""
    print("trying", flush=True)
    os.execv(fx["program"], ["program"])


def PX_02(fx):
    """multiprocessing"""
    import multiprocessing
    process = multiprocessing.get_context("fork").Process(target=os.getpid)
    process.start()
    process.join()
    return True


def PX_03(fx):
    """a fork, the first of a bomb"""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def PX_04(fx):
    """a daemon that outlives the run"""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            time.sleep(0.5)
            open(fx["folder"] + "/marker-PX-04", "w").write("x")
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def PX_04c(fx):
    """clone3"""
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", 0, 0, 0, 0, 17, 0, 0, 0))
    pid = syscall("clone3", arguments, 64)
    if pid == 0:
        os._exit(0)
    return pid


def PX_05(fx):
    """very many threads"""
    stop = threading.Event()
    threading.stack_size(65536)
    started = []
    try:
        for _ in range(600):
            thread = threading.Thread(target=stop.wait, daemon=True)
            thread.start()
            started.append(thread)
    except RuntimeError:
        pass
    stop.set()
    return must(len(started) >= 600)


def PX_06(fx):
    """a program in memory"""
    descriptor = os.memfd_create("program")
    os.write(descriptor, open("/bin/true", "rb").read())
    print("trying", flush=True)
    os.execve(f"/proc/self/fd/{descriptor}", ["true"], {})


def PX_06b(fx):
    """a program through the dynamic loader"""
    loader = "/lib64/ld-linux-x86-64.so.2"
    print("trying", flush=True)
    os.execv(loader, [loader, "/bin/echo", "OPEN loader"])


def PX_06c(fx):
    """another program's name at the address that may be executed"""
    address = fx["execAddress"]
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    page = address & ~0xfff
    if libc.mmap(page, 4096, 3, 0x32, -1, 0) != page:
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memmove(address, b"/bin/sh\0", 8)
    print("trying", flush=True)
    argv = (ctypes.c_char_p * 4)(b"sh", b"-c", b"echo OPEN exec", None)
    env = (ctypes.c_char_p * 1)(None)
    return syscall("execve", address, argv, env)


def PX_06d(fx):
    """another program's name moved to the address that may be executed"""
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    libc.mremap.argtypes = [ctypes.c_void_p] + [ctypes.c_size_t] * 2 + [ctypes.c_int, ctypes.c_void_p]
    address = fx["execAddress"]
    page = address & ~0xfff
    here = libc.mmap(None, 4096, 3, 0x22, -1, 0)
    if libc.mremap(here, 4096, 4096, 3, page) != page:
        raise OSError(ctypes.get_errno(), "mremap")
    ctypes.memmove(address, b"/bin/sh\0", 8)
    print("trying", flush=True)
    argv = (ctypes.c_char_p * 4)(b"sh", b"-c", b"echo OPEN exec", None)
    env = (ctypes.c_char_p * 1)(None)
    return syscall("execve", address, argv, env)


def PX_08(fx):
    """machine code of its own that opens a file"""
    import mmap
    memory = mmap.mmap(-1, 4096, prot=7)
    memory.write(bytes.fromhex("b8020000000f05c3"))  # open(rdi, rsi), as the ABI passes them
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    call = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_char_p, ctypes.c_long)(address)
    return must(call(fx["public"].encode(), 0) >= 0)


def PX_09a(fx):
    """a call by the 32-bit convention"""
    import mmap
    memory = mmap.mmap(-1, 4096, prot=7)
    memory.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return must(ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0)


def PX_10(fx):
    """a signal to a process of the same user (one that does no harm)"""
    os.kill(fx["victim"], signal.SIGCONT)
    return True


def PX_10b(fx):
    """trace a process of the same user"""
    return syscall("ptrace", 16, fx["victim"], 0, 0)


def PX_10c(fx):
    """change the limits of a process of the same user"""
    import resource
    resource.prlimit(fx["victim"], resource.RLIMIT_NOFILE)
    return True


def PX_10d(fx):
    """a handle on a process of the same user"""
    return os.pidfd_open(fx["victim"])


def PX_10e(fx):
    """a queued signal to a process of the same user"""
    info = ctypes.create_string_buffer(128)
    struct.pack_into("iii", info, 0, 0, 0, -1)
    return syscall("rt_sigqueueinfo", fx["victim"], 0, info)


def PX_10f(fx):
    """a signal to a thread of another process"""
    return syscall("tgkill", fx["victim"], fx["victim"], 0)


def PX_10g(fx):
    """a signal to a process of the same user, sent by a descriptor that it was made the owner of"""
    import fcntl
    r, w = os.pipe()
    fcntl.fcntl(r, 8, fx["victim"])  # F_SETOWN
    fcntl.fcntl(r, 10, int(signal.SIGCONT))  # F_SETSIG
    fcntl.fcntl(r, fcntl.F_SETFL, fcntl.fcntl(r, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(w, b"x")
    return True


def PX_10h(fx):
    """a lease on a file of the Python library: its next writer waits"""
    import fcntl
    with open(os.__file__) as file:
        fcntl.fcntl(file, 1024, 0)  # F_SETLEASE, F_RDLCK
    return True


def PX_10i(fx):
    """a lock on a file of the Python library, which another program sees"""
    import fcntl
    with open(os.__file__) as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def PX_11(fx):
    """a signal to everybody (0: only whether it would arrive)"""
    os.kill(-1, 0)
    return True


def PX_12a(fx):
    """real-time priority"""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


def PX_12b(fx):
    """a processor for itself"""
    os.sched_setaffinity(0, {0})
    return True


def PX_12c(fx):
    """nicer than the others"""
    os.setpriority(os.PRIO_PROCESS, 0, 1)
    return True


def PX_13(fx):
    """more memory than was given"""
    import resource
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard + 1 if hard > 0 else hard))
    return True


def PX_15(fx):
    """no longer die with the supervisor"""
    return must(syscall("prctl", 1, 0, 0, 0, 0) == 0) or True


def PX_16(fx):
    """end the keeper, its parent"""
    os.kill(os.getppid(), 0)
    return True


def PX_17(fx):
    """another user"""
    os.setuid(12345)
    return True


def PX_18(fx):
    """a session of its own"""
    os.setsid()
    return True


def PX_19(fx):
    """whether a process of the host exists"""
    return os.getpgid(fx["victim"]) and True
