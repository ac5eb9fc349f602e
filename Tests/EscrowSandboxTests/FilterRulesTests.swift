import Glibc
import Testing

@testable import EscrowSandbox

/// What no list of system calls may ever say, whoever edits it.
@Suite struct FilterRulesTests {
    /// Calls that do good or harm by their arguments: never allowed without a rule on them.
    static let needArguments = [
        "clone", "mmap", "mprotect", "ioctl", "prctl", "fcntl", "arch_prctl", "tgkill", "open", "openat",
        "prlimit64", "pipe2", "execveat", "futex", "madvise",
    ]

    /// Calls that no profile runs, by what they would give.
    static let forbidden = [
        "other programs":
            "execve fork vfork clone3 unshare setns ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp",
        "other processes":
            "kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_getfd pidfd_send_signal wait4 waitid setpgid setsid",
        "the network":
            "socket socketpair bind listen accept accept4 connect sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockopt setsockopt getsockname getpeername",
        "kernel programs":
            "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register io_setup io_submit",
        "keys": "keyctl add_key request_key",
        "shared pages": "splice vmsplice tee sendfile copy_file_range",
        "memory without a limit, or new code":
            "memfd_create memfd_secret pkey_mprotect remap_file_pages shmget shmat shmctl mlock mlockall mlock2 set_mempolicy mbind move_pages",
        "other walls":
            "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self personality modify_ldt iopl ioperm",
        "mounts":
            "mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick move_mount open_tree mount_setattr open_by_handle_at name_to_handle_at openat2",
        "files that are written":
            "creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mknod mknodat chmod fchmod fchmodat chown fchown lchown fchownat truncate ftruncate fallocate utime utimes utimensat setxattr lsetxattr fsetxattr removexattr",
        "the machine":
            "reboot kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname syslog quotactl acct vhangup",
        "another identity":
            "setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset",
        "queues and semaphores of others":
            "msgget msgsnd msgrcv msgctl semget semop semctl semtimedop mq_open mq_unlink mq_timedsend mq_notify fanotify_init inotify_init inotify_init1 inotify_add_watch",
        "limits": "setrlimit setpriority ioprio_set sched_setscheduler sched_setaffinity sched_setattr",
    ]

    @Test(arguments: FilterVariant.all)
    func powerfulCallsHaveRulesForTheirArguments(_ variant: FilterVariant) {
        for rule in variant.rules where Self.needArguments.contains(rule.call) {
            if case .refuse = rule.action { continue }
            #expect(!rule.conditions.isEmpty, "\(rule.call) is let through whatever its arguments")
        }
    }

    @Test(arguments: FilterVariant.all)
    func forbiddenCallsAreInNoProfile(_ variant: FilterVariant) throws {
        let program = FilterEvaluator(
            instructions: try FilterProgram.filter(for: variant.profile, variant.options).code)
        for (what, calls) in Self.forbidden {
            for call in calls.split(separator: " ").map(String.init) {
                let isRun = variant.rules.contains { rule in
                    if case .refuse = rule.action { return false }
                    return rule.call == call
                }
                #expect(!isRun, "\(call) would give a plugin \(what)")
                // The rule list and the program by themselves: neither may let it through.
                guard let number = variant.options.architecture.number(of: call) else { continue }
                for value in [UInt64(0), 1, .max] {
                    let made = FilteredCall(
                        number: number, architecture: variant.options.architecture.token,
                        arguments: [UInt64](repeating: value, count: 6))
                    #expect(program.answer(to: made) != .allow, "\(call)")
                }
            }
        }
    }

    @Test func theForbiddenNamesAreSpeltAsTheKernelSpellsThem() {
        let names = Self.forbidden.values.flatMap { $0.split(separator: " ").map(String.init) }
        for name in names + Self.needArguments {
            #expect(FilterArchitecture.x86_64.number(of: name) != nil, "\(name)")
        }
    }

    @Test(arguments: FilterVariant.all)
    func noTwoRulesFitTheSameCall(_ variant: FilterVariant) {
        for (call, rules) in Dictionary(grouping: variant.rules, by: \.call) {
            for arguments in FilterVariant.arguments(of: rules) {
                let fitting = rules.filter { $0.fits(arguments) }
                #expect(fitting.count <= 1, "\(call) \(arguments)")
            }
            // A rule without conditions swallows the others of its call.
            #expect(rules.count == 1 || rules.allSatisfy { !$0.conditions.isEmpty }, "\(call)")
        }
    }

    @Test(arguments: FilterVariant.all)
    func everyRuleNamesACallOfItsProcessorAndAReason(_ variant: FilterVariant) {
        for rule in variant.rules {
            #expect(variant.options.architecture.number(of: rule.call) != nil, "\(rule.call)")
            #expect(!rule.reason.isEmpty && !rule.reason.contains("\n"))
        }
    }

    @Test func whatArm64LacksIsLackingOnPurpose() {
        let absent = Set(SandboxProfile.allCases.flatMap { FilterRules.absentCalls(of: $0) })
        #expect(absent == Set(FilterRules.absentOnArm64.keys))
        for (call, instead) in FilterRules.absentOnArm64 {
            #expect(FilterArchitecture.arm64.number(of: call) == nil, "\(call) is there after all")
            #expect(
                instead.contains(" ") || FilterArchitecture.arm64.number(of: instead) != nil, "\(instead)")
        }
    }

    @Test func aCallThatAProcessorLacksIsNoRuleForIt() {
        let error = #expect(throws: (any Error).self) {
            try FilterProgram([FilterRule("open", .allow, [], "a test")], naming: true, architecture: .arm64)
        }
        #expect(
            "\(error as Any)".contains(
                "the filter of system calls could not be compiled: arm64 has no call open: "))
    }

    @Test func wordsAreMadeOfTheNumbersThatAreCompared() {
        func words(_ rule: FilterRule) -> String { FilterWords.decision(rule) }
        #expect(words(.init("read", .allow, [], "")) == "allowed")
        #expect(words(.init("x", .refuse(ENOENT), [], "")) == "answers ENOENT")
        #expect(words(.init("x", .refuse(0), [], "")) == "not run, answers success")
        #expect(words(.init("x", .refuse(99), [], "")) == "answers errno 99")
        #expect(
            words(.init("ioctl", .allow, [.word(1, 0x5451)], "")) == "allowed if request is FIOCLEX (0x5451)")
        #expect(words(.init("ioctl", .allow, [.word(1, 0x9999)], "")) == "allowed if request is 0x9999")
        #expect(
            words(.init("mmap", .allow, [.masked(argument: 2, mask: 6, equals: 4)], ""))
                == "allowed if prot has PROT_EXEC (0x4) and none of PROT_WRITE (0x2)")
        #expect(
            words(.init("mmap", .ask, [.without(2, 0x14)], ""))
                == "the supervisor decides if prot has none of 0x14")
        #expect(
            words(
                .init("x", .allow, [.equal(argument: 3, 0), .notEqual(argument: 4, 5), .with(5, 0x10)], ""))
                == "allowed if argument 3 is 0x0 in all 64 bits, and argument 4 is not 0x5 in all 64 bits, and argument 5 has 0x10"
        )
        #expect(
            words(.init("pipe2", .allow, [.without(1, 0xfff7_f7ff)], ""))
                == "allowed if flags has no bit but O_NONBLOCK|O_CLOEXEC (0x80800)")
    }
}
