/*
 * Gives pseudo-terminals modem lines, for programs that cannot open a serial port without them.
 *
 * Loaded with LD_PRELOAD. When the kernel answers a modem-line ioctl on a pseudo-terminal with ENOTTY or EINVAL, the
 * request is carried out here on lines kept per terminal; everything else goes to the real ioctl untouched.
 * With PTY_MODEM_LOG=FILE each change is appended there as one line: `PATH dtr=1 rts=0`.
 *
 *     cc -shared -fPIC -O2 -o pty-modem-lines.so pty-modem-lines.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Device numbers Linux gives to the slave ends of Unix 98 pseudo-terminals. */
enum { FIRST_SLAVE_MAJOR = 136, LAST_SLAVE_MAJOR = 143, TERMINALS = 64 };

static struct {
    dev_t device;
    int lines;
} terminals[TERMINALS];
static int known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The lines of the terminal behind fd, or NULL when it is none or there are too many. Called with the lock held. */
static int *lines_of(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISCHR(info.st_mode)) return NULL;
    if (major(info.st_rdev) < FIRST_SLAVE_MAJOR || major(info.st_rdev) > LAST_SLAVE_MAJOR) return NULL;
    for (int index = 0; index < known; index++)
        if (terminals[index].device == info.st_rdev) return &terminals[index].lines;
    if (known == TERMINALS) return NULL;
    terminals[known].device = info.st_rdev;
    terminals[known].lines = 0;
    return &terminals[known++].lines;
}

static void log_change(int fd, int lines) {
    const char *path = getenv("PTY_MODEM_LOG");
    char name[128];
    if (path == NULL || ttyname_r(fd, name, sizeof name) != 0) return;
    FILE *log = fopen(path, "ae");
    if (log == NULL) return;
    fprintf(log, "%s dtr=%d rts=%d\n", name, (lines & TIOCM_DTR) != 0, (lines & TIOCM_RTS) != 0);
    fclose(log);
}

int ioctl(int fd, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);

    if (real == NULL) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    int result = real(fd, request, argument);
    int problem = errno;
    if (result == 0 || (problem != ENOTTY && problem != EINVAL)) return result;
    if (request != TIOCMGET && request != TIOCMSET && request != TIOCMBIS && request != TIOCMBIC) return result;

    pthread_mutex_lock(&lock);
    int *lines = lines_of(fd);
    if (lines != NULL) {
        int before = *lines;
        int *value = argument;
        switch (request) {
        /* The far end is always there: carrier, ready and clear to send. */
        case TIOCMGET: *value = *lines | TIOCM_CAR | TIOCM_DSR | TIOCM_CTS; break;
        case TIOCMSET: *lines = *value; break;
        case TIOCMBIS: *lines |= *value; break;
        case TIOCMBIC: *lines &= ~*value; break;
        }
        result = 0;
        problem = 0;
        if (*lines != before) log_change(fd, *lines);
    }
    pthread_mutex_unlock(&lock);
    errno = problem;
    return result;
}
