"""Sections I and J: Python's own ways around a filter of its text. Each ends in the same deed."""


def deed(module):
    """The aim of every attack here: runs another program, or else reads a file of the host."""
    if module.system("true") == 0:
        return True
    return open(fx["public"]).read()


def PY_01(fx):
    """through the subclasses of object"""
    found = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"][0]
    return must(found.__init__.__globals__["system"]("true") == 0)


def PY_02(fx):
    """through the frame of a generator"""
    def generator():
        yield
    return deed(generator().gi_frame.f_builtins["__import__"]("os"))


def PY_05(fx):
    """through a pattern that reads an attribute"""
    import tempfile
    match tempfile:
        case object(_os=module):
            return deed(module)


def PY_07(fx):
    """through a decorator, a call without a call"""
    @os.system
    @lambda _: "true"
    def result():
        pass
    return must(result == 0)


def PY_08(fx):
    """through an operator of a class"""
    class Sneaky:
        def __class_getitem__(cls, command):
            return os.system(command)
    return must(Sneaky["true"] == 0)


def PY_09(fx):
    """through a name in other letters"""
    exec("ｏｓ.ｓｙｓｔｅｍ('true') == 0 or ｍｕｓｔ(False)")
    return True


def PY_12(fx):
    """through the module that os is made of"""
    from posix import system
    return must(system("true") == 0)


def PY_13(fx):
    """through attrgetter and methodcaller"""
    import operator
    return must(operator.methodcaller("system", "true")(os) == 0)


def PY_14(fx):
    """through timeit, which evaluates text"""
    import timeit
    timeit.timeit("os.system('true') == 0 or must(False)", number=1,
                  globals={"os": os, "must": must})
    return True


def PY_15(fx):
    """through the frames of a traceback"""
    try:
        raise ValueError
    except ValueError as error:
        return deed(error.__traceback__.tb_frame.f_globals["os"])


def PY_20(fx):
    """through sys.modules"""
    return deed(sys.modules["posix"])


def PY_22(fx):
    """through ctypes and the C library"""
    return must(libc.system(b"true") == 0)


def PY_25(fx):
    """through a module that another module imported"""
    import random
    return deed(random._os)


def PY_26(fx):
    """through an event loop"""
    import asyncio

    async def run():
        process = await asyncio.create_subprocess_exec("/bin/true")
        return await process.wait()
    return must(asyncio.run(run()) == 0)


def LB_02(fx):
    """through a pickle that calls when it is loaded"""
    import pickle

    class Payload:
        def __reduce__(self):
            return os.system, ("true",)
    return must(pickle.loads(pickle.dumps(Payload())) == 0)


def LB_12(fx):
    """through webbrowser and pydoc"""
    import pydoc
    pydoc.pipepager("", "true")
    return must(os.system("true") == 0)


def LB_13(fx):
    """through the private parts of subprocess"""
    import _posixsubprocess
    read, write = os.pipe()
    pid = _posixsubprocess.fork_exec(
        [b"/bin/true"], [b"/bin/true"], True, (write,), None, None,
        -1, -1, -1, -1, -1, -1, read, write, False, False, 0, None, None, None, -1, None, True)
    return must(pid > 0)


def LB_14(fx):
    """a compiler at run time"""
    import subprocess
    return must(subprocess.run(["cc", "--version"], capture_output=True).returncode == 0)
