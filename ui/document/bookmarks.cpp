#include "ui/document/bookmarks.h"  // Qt makes its meta object from here
