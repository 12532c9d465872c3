// Declarations of sqlite3 that Swift calls as they are.
#include <sqlite3.h>
