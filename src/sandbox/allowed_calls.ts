/** The system calls that a confined program may make; every other one is refused with EPERM. */
import type { SyscallName } from "./syscall_numbers.ts";

/** Reading, writing and waiting on descriptors that it has. */
const descriptors = [
  ...["read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev"],
  ...["preadv2", "pwritev2", "lseek", "close", "close_range", "fsync"],
  ...["fdatasync", "ftruncate", "fallocate", "fadvise64", "readahead", "copy_file_range"],
  ...["sendfile", "dup", "dup2", "dup3", "pipe", "pipe2", "poll", "ppoll", "select", "pselect6"],
  ...["epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2"],
  ...["eventfd", "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime"],
  "recvfrom",
] as const;

/** Files: Landlock and the mount namespace say which. */
const files = [
  ...["open", "openat", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs"],
  ...["access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd"],
  ...["chdir", "fchdir", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir"],
  ...["unlink", "unlinkat", "umask"],
] as const;

const memory = [
  ...["munmap", "mprotect", "madvise", "brk", "mincore", "msync", "membarrier", "memfd_create"],
  ...["pkey_alloc", "pkey_free", "pkey_mprotect"],
] as const;

const threads = [
  ...["futex", "futex_waitv", "rseq", "set_robust_list", "get_robust_list", "set_tid_address"],
  ...["arch_prctl", "restart_syscall", "sched_yield", "sched_getaffinity", "sched_getparam"],
  ...["sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min", "getpriority"],
  ...["getcpu", "exit", "exit_group", "wait4", "waitid"],
] as const;

/** Handling of its own signals; sending them is another matter. */
const signals = [
  ...["rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend"],
  ...["rt_sigtimedwait", "sigaltstack"],
] as const;

/** Questions about itself, the clock and the machine. */
const questions = [
  ...["getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getgroups"],
  ...["getresuid", "getresgid", "getpgrp", "capget", "getrlimit"],
  ...["clock_gettime", "clock_getres", "clock_nanosleep", "gettimeofday", "time", "times"],
  ...["nanosleep", "getrusage", "sysinfo", "uname", "getrandom", "getitimer", "setitimer"],
  ...["alarm", "timer_create", "timer_settime", "timer_gettime", "timer_getoverrun"],
  "timer_delete",
] as const;

/** Allowed whatever their arguments are. */
export const allowedCalls: readonly SyscallName[] = [
  ...descriptors,
  ...files,
  ...memory,
  ...threads,
  ...signals,
  ...questions,
];
