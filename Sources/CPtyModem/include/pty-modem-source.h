#ifndef RIG_PTY_MODEM_SOURCE_H
#define RIG_PTY_MODEM_SOURCE_H

/// The text of pty-modem-lines.c, which `serve` compiles on the machine that needs it.
const unsigned char *rig_pty_modem_source(void);
unsigned long rig_pty_modem_source_length(void);

#endif
