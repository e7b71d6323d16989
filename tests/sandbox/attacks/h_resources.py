"""Section H: more than its share. Ends by a signal or a clock are in kernel_levels_slow.ts."""
import time


def RS_01(fx):
    """more CPU time than there is"""
    while time.process_time() < 2.2:
        pass
    return True


def RS_06(fx):
    """more memory than there is"""
    return len(bytearray(600 << 20))  # beyond 512 MiB, and written in far less than a second


def RS_07(fx):
    """more memory than there is, a little at a time"""
    return len([bytearray(1 << 20) for _ in range(700)])


def RS_15(fx):
    """very many descriptors"""
    return len([os.dup(0) for _ in range(300)])


def RS_25(fx):
    """memory that cannot be swapped out"""
    libc.mlock.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    memory = ctypes.create_string_buffer(1 << 20)
    return must(libc.mlock(memory, 1 << 20) == 0)


def RS_26(fx):
    """very many timers"""
    made = 0
    for i in range(2000):
        timer = ctypes.c_int()
        made += libc.timer_create(0, None, ctypes.byref(timer)) == 0
    return must(made == 2000)
