import Foundation
import Testing

/// On a machine that lacks a wall no plugin runs, the message names the wall, and the ledger tells; lowered by name, the
/// run goes through and the ledger tells that as well. Each time the real program runs on a kernel that was made to lack
/// it, as root and as an ordinary user.
@Suite(.enabled(if: FakeKernel.program != nil), .timeLimit(.minutes(60))) struct FakeKernelTests {
    /// A kernel that lacks a wall.
    struct Kernel: Sendable, CustomTestStringConvertible {
        let faults: [String]
        let wall: String
        let code: String
        let reason: String
        /// What the doctor says, where it meets another step first.
        var doctor: String?
        /// Whether an ordinary user meets it as well as root.
        var anybody = true
        var testDescription: String { faults.joined(separator: " ") }

        init(
            _ faults: String, _ wall: String, _ code: String, _ reason: String, doctor: String? = nil,
            anybody: Bool = true
        ) {
            self.faults = faults.split(separator: " ").map(String.init)
            self.wall = wall
            self.code = code
            self.reason = reason
            self.doctor = doctor
            self.anybody = anybody
        }
    }

    static let purposes = [
        "user-namespace": "the plugin has no identity outside, and no rights",
        "mount-namespace": "an empty read-only root; no file of this machine is there",
        "network-namespace": "no network interface and no address",
        "process-namespace": "no other process can be seen or signalled",
        "ipc-namespace": "no shared memory or message queue with others",
        "hostname-namespace": "the machine's name is hidden",
        "landlock": "no file may be opened but those listed, said a second time",
        "seccomp": "every system call that is not listed ends the plugin",
        "no-new-privileges": "running a program can grant nothing",
        "capabilities": "none held, none obtainable",
        "descriptors": "nothing open but stdin, stdout and stderr",
        "resource-limits": "time, memory, threads and output have an end",
        "unprivileged-user": "the plugin never runs as the kernel's root",
        "sealed-program": "what runs is the copy that was verified",
    ]

    static let namespaces = [
        "user-namespace", "mount-namespace", "network-namespace", "process-namespace", "ipc-namespace",
        "hostname-namespace",
    ]

    private static let refused = "the kernel refuses it: Operation not permitted"
    private static let absent = "Function not implemented"
    private static let looked = "a test program was run in the sandbox, and "

    /// Walls that the individual may lower.
    static let lowerable = [
        Kernel("clone:0&0x20000=EPERM", "mount-namespace", "E0550", refused),
        Kernel("pivot_root=EPERM", "mount-namespace", "E0550", "pivot: Operation not permitted"),
        Kernel("mount=EPERM", "mount-namespace", "E0550", "mount-private: Operation not permitted"),
        Kernel("pivot_root=OK", "mount-namespace", "E0550", looked + "its root was not one read-only mount"),
        Kernel(
            "clone:0&0x40000000=ENOSPC unshare:0&0x40000000=ENOSPC", "network-namespace", "E0550",
            "the kernel refuses it: No space left on device"),
        Kernel(
            "unshare:0&0x40000000=OK", "network-namespace", "E0550",
            looked + "it was in the host's own net namespace", anybody: false),
        Kernel("clone:0&0x20000000=EPERM", "process-namespace", "E0550", refused),
        Kernel("clone:0&0x8000000=EPERM", "ipc-namespace", "E0550", refused),
        Kernel("clone:0&0x4000000=EPERM", "hostname-namespace", "E0550", refused),
        Kernel("sethostname=EPERM", "hostname-namespace", "E0550", "hostname: Operation not permitted"),
        Kernel(
            "landlock_create_ruleset=ENOSYS landlock_add_rule=ENOSYS landlock_restrict_self=ENOSYS",
            "landlock",
            "E0551", "the kernel refuses it: \(absent)"),
        Kernel(
            "landlock_create_ruleset=EOPNOTSUPP", "landlock", "E0551",
            "the kernel refuses it: Operation not supported"),
        Kernel(
            "landlock_restrict_self=EPERM", "landlock", "E0551",
            "landlock: Operation not permitted"),
        Kernel(
            "landlock_restrict_self=OK", "landlock", "E0551",
            "a test program restricted itself and could open / all the same"),
        Kernel(
            "capget=EPERM", "unprivileged-user", "E0553",
            "the host is root and no other user is mapped here", anybody: false),
    ]

    /// Walls that stand or no plugin runs.
    static let fixed = [
        Kernel("seccomp=ENOSYS", "seccomp", "E0552", "the kernel refuses filters: \(absent)"),
        Kernel("seccomp:0==2=EINVAL", "seccomp", "E0552", "the kernel refuses filters: Invalid argument"),
        Kernel("seccomp:1&8=ENOSYS", "seccomp", "E0552", "seccomp: \(absent)"),
        Kernel("seccomp:1&8=EINVAL", "seccomp", "E0552", "seccomp: Invalid argument"),
        Kernel("seccomp:1&8=OK", "seccomp", "E0552", "start: No child processes"),
        Kernel("pidfd_getfd=ENOSYS", "seccomp", "E0552", "seccomp: \(absent)"),
        Kernel("pidfd_getfd=EPERM", "seccomp", "E0552", "seccomp: Operation not permitted"),
        Kernel("pidfd_send_signal=ENOSYS", "seccomp", "E0552", "no plugin could be stopped: \(absent)"),
        Kernel("waitid=ENOSYS", "seccomp", "E0552", "no plugin could be stopped: \(absent)"),
        Kernel("prctl:0==38=EINVAL", "no-new-privileges", "E0554", "no-new-privileges: Invalid argument"),
        Kernel("capset=EPERM", "capabilities", "E0554", "capabilities: Operation not permitted"),
        Kernel("prctl:0==24=EPERM", "capabilities", "E0554", "capabilities: Operation not permitted"),
        Kernel("close_range=ENOSYS", "descriptors", "E0554", "descriptors: \(absent)"),
        Kernel("keyctl=EPERM", "descriptors", "E0554", "keyring: Operation not permitted"),
        Kernel("prlimit64:1==6=EPERM", "resource-limits", "E0554", "limits: Operation not permitted"),
        Kernel("prlimit64:1==6=OK", "resource-limits", "E0554", looked + "processes was not limited"),
        Kernel("execveat=ENOSYS", "sealed-program", "E0554", "exec: \(absent)"),
        Kernel(
            "memfd_create=ENOSYS", "sealed-program", "E0554",
            "bin/linux-x86_64/rogue cannot be copied into memory: \(absent)",
            doctor: "no sealed file could be made: \(absent)"),
        Kernel(
            "fcntl:1==1033=EINVAL", "sealed-program", "E0554",
            "bin/linux-x86_64/rogue cannot be sealed: Invalid argument",
            doctor: "no sealed file could be made: Invalid argument"),
    ]

    static let run = ["run", "rogue", "--app", "org.example.test", "--param", "mode=log", "--log", "--quiet"]

    /// The control: on this kernel as it is, the plugin runs and leaves its sign, its log.
    @Test(arguments: FakeKernel.User.possible) func withEveryWallThePluginRuns(user: FakeKernel.User) throws {
        let home = try FakeHome(user)
        defer { home.remove() }
        let outcome = try FakeKernel(user: user).start(Self.run, home: home.path)
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("log of the plugin:"))
        #expect(try Self.intent(home, user)["loweredWalls"] == nil)
    }

    @Test(arguments: lowerable + fixed, FakeKernel.User.possible)
    func aMissingWallStopsTheRunByName(kernel: Kernel, user: FakeKernel.User) throws {
        guard kernel.anybody || (user == .current && geteuid() == 0) else { return }
        let home = try FakeHome(user)
        defer { home.remove() }
        let machine = FakeKernel(faults: kernel.faults, user: user)
        let outcome = try machine.start(Self.run, home: home.path)
        #expect(outcome.status == 20)
        #expect(outcome.output.isEmpty)
        let sentence = "the wall \(kernel.wall) is missing on this machine: \(kernel.reason)"
        #expect(outcome.words == Self.refusal(kernel, sentence))
        // The ledger tells of it where the run got as far as an intent: a program that cannot be sealed is never verified.
        if kernel.doctor == nil {
            let end = try Self.fields(home, user, "run-end")
            #expect(end["code"] as? String == kernel.code)
            #expect(end["message"] as? String == sentence)
            #expect(end["outcome"] as? String == "nothing returned")
            #expect(end["exit"] as? Int == 20)
            #expect(end["rows"] as? Int == 0)
        }
        try Self.expectDoctor(machine, home, [kernel.wall: "missing: \(kernel.doctor ?? kernel.reason)"])
    }

    @Test(arguments: lowerable, FakeKernel.User.possible)
    func loweredByNameTheRunGoesThroughAndTheLedgerTells(kernel: Kernel, user: FakeKernel.User) throws {
        guard kernel.anybody || (user == .current && geteuid() == 0) else { return }
        let home = try FakeHome(user, lowering: [kernel.wall])
        defer { home.remove() }
        let machine = FakeKernel(faults: kernel.faults, user: user)
        let outcome = try machine.start(Self.run.dropLast(), home: home.path)
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("log of the plugin:"))
        let purpose = try #require(Self.purposes[kernel.wall])
        let warning = "warning this run goes without the wall \(kernel.wall), which you lowered: \(purpose)"
        #expect(outcome.words.split { $0.isWhitespace }.joined(separator: " ").contains(warning))
        #expect(try Self.intent(home, user)["loweredWalls"] as? [String] == [kernel.wall])
        let shown = try FakeKernel(user: user).start(["ledger", "show", "last"], home: home.path)
        #expect(shown.output.contains("    loweredWalls  \(kernel.wall)\n"))
        try Self.expectDoctor(machine, home, [kernel.wall: "lowered"])
    }

    @Test(arguments: fixed, FakeKernel.User.possible)
    func aWallThatCannotBeLoweredIsRefusedWhateverTheConfigurationSays(
        kernel: Kernel, user: FakeKernel.User
    ) throws {
        let home = try FakeHome(user, lowering: [kernel.wall])
        defer { home.remove() }
        for faults in [kernel.faults, []] where kernel.doctor == nil || faults.isEmpty {
            let outcome = try FakeKernel(faults: faults, user: user).start(Self.run, home: home.path)
            #expect(outcome.status == 20)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.words == """
                    refused[E0555]: the wall \(kernel.wall) cannot be lowered
                    help: take it off loweredWalls in config.json

                    """)
        }
        let doctor = try FakeKernel(user: user).start(["doctor"], home: home.path)
        #expect(doctor.status == 20)
        #expect(doctor.words.hasPrefix("refused[E0555]: the wall \(kernel.wall) cannot be lowered"))
    }

    /// Ubuntu's AppArmor, `user.max_user_namespaces=0`, most containers. Root can still make the others; for an ordinary
    /// user they go together.
    @Test(arguments: ["EPERM", "ENOSPC"], FakeKernel.User.possible)
    func withoutUserNamespacesAnOrdinaryUserLosesAllSix(error: String, user: FakeKernel.User) throws {
        let isRoot = user == .current && geteuid() == 0
        let machine = FakeKernel(faults: ["clone:0&0x10000000=\(error)"], user: user)
        let strict = try FakeHome(user)
        defer { strict.remove() }
        let outcome = try machine.start(Self.run, home: strict.path)
        #expect(outcome.status == 20)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.words.hasPrefix("refused[E0550]: the wall user-namespace is missing on this machine: "))
        let also = "also missing: " + Self.namespaces.dropFirst().joined(separator: ", ")
        #expect(outcome.words.contains(also) == !isRoot)

        let one = try FakeHome(user, lowering: ["user-namespace"])
        defer { one.remove() }
        let second = try machine.start(Self.run, home: one.path)
        if isRoot {
            #expect(second.status == 0, "\(second.words)")
            try Self.expectDoctor(machine, one, ["user-namespace": "lowered"])
        } else {
            #expect(second.status == 20)
            #expect(second.words.hasPrefix("refused[E0550]: the wall mount-namespace is missing"))
        }

        let all = try FakeHome(user, lowering: Self.namespaces)
        defer { all.remove() }
        let third = try machine.start(Self.run, home: all.path)
        #expect(third.status == 0, "\(third.words)")
        #expect(try Self.intent(all, user)["loweredWalls"] as? [String] == Self.namespaces)
    }

    /// A host that took another user's id for its plugins must have got it.
    @Test(.enabled(if: geteuid() == 0)) func anIdentityThatWasNotTakenIsSeen() throws {
        let home = try FakeHome(.current)
        defer { home.remove() }
        let kernel = Kernel(
            "setresuid=OK setresgid=OK setgroups=OK", "unprivileged-user", "E0553",
            Self.looked + "it ran as root")
        let outcome = try FakeKernel(faults: kernel.faults).start(Self.run, home: home.path)
        #expect(outcome.status == 20)
        #expect(
            outcome.words
                == Self.refusal(
                    kernel, "the wall unprivileged-user is missing on this machine: \(kernel.reason)"))
    }

    /// Control groups are an addition: the doctor says so, and the run goes on.
    @Test func withoutControlGroupsPluginsRun() throws {
        let home = try FakeHome(.current)
        defer { home.remove() }
        let machine = FakeKernel(faults: ["mkdir=EROFS"])
        #expect(try machine.start(Self.run, home: home.path).status == 0)
        let doctor = try machine.start(["doctor", "--format", "json"], home: home.path)
        #expect(doctor.status == 0, "\(doctor.words)")
        #expect(try Self.walls(doctor)["control-group"] == "missing: none can be made here")
    }

    /// What older kernels lack that is no wall, or has another way.
    @Test(arguments: [["clone3=ENOSYS"], ["seccomp:1&8=EBUSY"], ["keyctl=ENOSYS"], ["capset=OK"]])
    func whatIsNotNeededIsNotMissed(faults: [String]) throws {
        let home = try FakeHome(.current)
        defer { home.remove() }
        let outcome = try FakeKernel(faults: faults).start(Self.run, home: home.path)
        #expect(outcome.status == 0, "\(outcome.words)")
    }

    /// Landlock's versions: 1 of Linux 5.13 to 6 of 6.12. An older kernel takes a shorter structure only.
    @Test(arguments: zip(1...6, [8, 8, 8, 16, 16, 24]))
    func everyVersionOfLandlockWillDo(version: Int, size: Int) throws {
        let machine = FakeKernel(faults: [
            "landlock-abi=\(version)", "landlock_create_ruleset:1>\(size)=E2BIG",
        ])
        let home = try FakeHome(.current)
        defer { home.remove() }
        let outcome = try machine.start(Self.run, home: home.path)
        if outcome.status == 77 {
            print("SKIP: \(outcome.words)")
            return
        }
        #expect(outcome.status == 0, "\(outcome.words)")
        let doctor = try machine.start(["doctor"], home: home.path)
        #expect(doctor.status == 0, "\(doctor.words)")
        #expect(doctor.output.contains("Landlock ABI \(version)\n"))
    }

    // MARK: what is read back

    private static func refusal(_ kernel: Kernel, _ sentence: String) -> String {
        let purpose = purposes[kernel.wall] ?? ""
        let canBeLowered = lowerable.contains { $0.wall == kernel.wall }
        let help =
            canBeLowered
            ? "to run without it, lower it by name: { \"loweredWalls\": [\"\(kernel.wall)\"] } in config.json of the escrow home"
            : "this wall cannot be lowered"
        return """
            refused[\(kernel.code)]: \(sentence)
            note: this wall means: \(purpose)
            help: `escrow doctor` shows what to change; \(help)

            """
    }

    /// The doctor ends like a run would, and says of all other walls that they stand. Where Landlock is there and refuses,
    /// `escrow-egress` cannot shut itself in, whatever plugins go without.
    private static func expectDoctor(_ machine: FakeKernel, _ home: FakeHome, _ states: [String: String])
        throws
    {
        let doctor = try machine.start(["doctor", "--format", "json"], home: home.path)
        let sends = !machine.faults.contains("landlock_restrict_self=EPERM")
        let isMissing = states.values.contains { $0.hasPrefix("missing") }
        #expect(doctor.status == (isMissing ? 20 : sends ? 0 : 17), "\(doctor.words)")
        for (wall, state) in try walls(doctor) where wall != "control-group" {
            #expect(state == states[wall] ?? "present", "\(wall)")
        }
    }

    private static func walls(_ doctor: Escrow.Outcome) throws -> [String: String] {
        let rows = try #require(try doctor.json()["walls"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                guard let name = row["name"] as? String, let state = row["state"] as? String else {
                    return nil
                }
                return (name, state)
            })
    }

    private static func intent(_ home: FakeHome, _ user: FakeKernel.User) throws -> [String: Any] {
        try fields(home, user, "run-intent")
    }

    /// The fields of the last record of a kind.
    private static func fields(
        _ home: FakeHome, _ user: FakeKernel.User, _ kind: String
    ) throws -> [String: Any] {
        let list = try FakeKernel(user: user)
            .start(["ledger", "list", "--last", "4", "--format", "json"], home: home.path)
        let entries = try #require(try list.json()["entries"] as? [[String: Any]], "\(list.words)")
        let last = try #require(entries.last { $0["kind"] as? String == kind })
        return try #require(last["fields"] as? [String: Any])
    }
}
