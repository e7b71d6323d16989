"""Section D: secrets of the environment, of other processes and of the machine."""


def EN_01(fx):
    """the supervisor's variables"""
    return must(fx["canary"] in repr(dict(os.environ)))


def EN_02(fx):
    """the environment of process 1"""
    return open("/proc/1/environ").read()


def EN_03(fx):
    """the environment of every process, through /proc"""
    for pid in os.listdir("/proc"):
        try:
            if pid.isdigit() and fx["canary"] in open(f"/proc/{pid}/environ").read():
                return pid
        except OSError:
            pass
    raise Harmless()


def EN_04(fx):
    """variables through the attributes of a format string"""
    def probe():
        pass
    return must(fx["canary"] in "{0.__globals__[os].environ}".format(probe))


def EN_05(fx):
    """descriptors that were left open"""
    return must([fd for fd in range(3, 4096) if is_open(fd)])


def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


def EN_06(fx):
    """the arguments of the parent"""
    return open(f"/proc/{os.getppid()}/cmdline").read()


def EN_07(fx):
    """the host's name"""
    return must(socket.gethostname() == fx["hostname"])


def EN_09(fx):
    """the folder that the supervisor works in"""
    return must(os.getcwd() in fx["cwd"])
