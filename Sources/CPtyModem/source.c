// Carries the text of the preload library in the program, so that an installed tree needs no file beside it.
#include "pty-modem-source.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text[] = {
#embed "pty-modem-lines.c"
};

const unsigned char *rig_pty_modem_source(void) { return text; }

unsigned long rig_pty_modem_source_length(void) { return sizeof text; }
