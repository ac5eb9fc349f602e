// libqrencode: what a QR code looks like.
#ifndef ESCROW_CQRENCODE_SHIM_H
#define ESCROW_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
