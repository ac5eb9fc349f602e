// libseccomp for Swift. The action macros are function-like, so Swift cannot see them; here they are as constants.
#ifndef ESCROW_CSECCOMP_SHIM_H
#define ESCROW_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

static const uint32_t escrow_action_allow = SCMP_ACT_ALLOW;
static const uint32_t escrow_action_notify = SCMP_ACT_NOTIFY;
static const uint32_t escrow_action_kill_process = SCMP_ACT_KILL_PROCESS;

static inline uint32_t escrow_action_errno(int error) { return SCMP_ACT_ERRNO(error); }

#endif
