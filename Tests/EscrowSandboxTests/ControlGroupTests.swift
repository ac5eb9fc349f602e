import CEscrowLauncher
import EscrowDiagnostics
import Glibc
import TemporaryFolder
import Testing

@testable import EscrowSandbox

/// The files of control groups, version 2: where groups are made, what is written, what is read.
@Suite struct ControlGroupTests {
    private let scratch: TemporaryFolder
    init() throws { scratch = try TemporaryFolder("escrow-group") }

    private static let mounts = """
        24 1 254:0 / / rw,relatime - ext4 /dev/vda rw
        30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
        """

    @Test(arguments: [
        // Ours, the place that is found.
        (
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/escrow.service\n",
            ["/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice"]
        ),
        ("4:memory:/a\n0::/one\n", ["/sys/fs/cgroup"]), ("0::/\n", ["/sys/fs/cgroup"]),
        ("0::/../../other\n", []), ("4:memory:/a\n", []), ("", []), ("0:/\n", []), ("0::relative\n", []),
    ])
    func thePlaceIsBesideTheHostsOwnGroup(own: String, places: [String]) {
        #expect(ControlGroups.places(mounts: Self.mounts, own: own) == places)
    }

    @Test(arguments: [
        ("30 24 0:26 /box /sys/fs/cgroup rw - cgroup2 c rw", "0::/box/a/b", ["/sys/fs/cgroup/a"]),
        ("30 24 0:26 /box /sys/fs/cgroup rw - cgroup2 c rw", "0::/boxer/a", []),
        ("30 24 0:26 / /my\\040groups rw - cgroup2 c rw", "0::/a/b", ["/my groups/a"]),
        // Fields that are missing, too many, or not the kernel's.
        ("30 24 0:26 / /sys/fs/cgroup rw cgroup2 c rw", "0::/a/b", []),
        ("30 24 0:26 / /sys/fs/cgroup rw - cgroup2 c rw more", "0::/a/b", []),
        ("30 24 0:26 / /bad\\9 rw - cgroup2 c rw", "0::/a/b", []),
        ("30 24 0:26 / relative rw - cgroup2 c rw", "0::/a/b", []),
        ("30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup c rw,memory", "0::/a/b", []), ("", "0::/a/b", []),
    ])
    func theMountTableIsReadStrictly(mounts: String, own: String, places: [String]) {
        #expect(ControlGroups.places(mounts: mounts, own: own) == places)
    }

    @Test func onlyControllersOfUseCount() {
        #expect(ControlGroups.controllers(in: "cpuset cpu io memory hugetlb pids\n") == [.memory, .pids])
        #expect(ControlGroups.controllers(in: "memory_recursive\n") == [])
        #expect(ControlGroups.controllers(in: "") == [])
    }

    @Test(arguments: [
        ("low 0\noom 2\noom_kill 1\n", UInt64(1)), ("oom_kill 18446744073709551615\n", .max),
        ("oom_kill -1\n", nil), ("oom_kill\n", nil), ("oom_kill  1\n", nil), ("oom_kill 1 2\n", nil),
        ("oom_kill_all 1\n", nil), ("oom_kill 99999999999999999999\n", nil), ("", nil),
    ])
    func eventsAreReadStrictly(text: String, value: UInt64?) {
        #expect(ControlGroup.value(of: "oom_kill", in: text) == value)
    }

    /// A folder with files as the kernel shows them, here of nobody's doing.
    private func folder(_ files: [String: String]) throws -> String {
        var template = Array("\(scratch.path)/XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&template).map { String(cString: $0) })
        for (name, text) in files { try write(text, "\(path)/\(name)") }
        return path
    }

    private func write(_ text: String, _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    private func read(_ path: String) throws -> String {
        String(decoding: try readFile(path), as: UTF8.self)
    }

    @Test func limitsAreWrittenAndCountsAreRead() throws {
        let path = try folder([
            "memory.max": "", "memory.swap.max": "", "pids.max": "", "cgroup.procs": "",
            "memory.events": "low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\n", "pids.events": "max 0\n",
            "memory.peak": "1048576\n",
        ])
        let limits = SandboxLimits(memoryMiB: 64, processes: 8)
        let group = try #require(ControlGroup(directory: path, [.memory, .pids], limits))
        #expect(try read(path + "/memory.max") == "67108864")
        #expect(try read(path + "/memory.swap.max") == "0")
        #expect(try read(path + "/pids.max") == "10")
        #expect(group.add(pid: "4711") == 0)
        #expect(try read(path + "/cgroup.procs") == "4711")
        #expect(group.counted() == .init(outOfMemory: false, outOfProcesses: false, peakKiB: 1024))
        try write("oom 1\noom_kill 1\n", path + "/memory.events")
        try write("max 3\n", path + "/pids.events")
        unlink(path + "/memory.peak")
        #expect(group.counted() == .init(outOfMemory: true, outOfProcesses: true, peakKiB: 0))
    }

    @Test func aLimitThatCannotBeWrittenMakesNoGroup() throws {
        #expect(ControlGroup(directory: try folder([:]), [.memory], .standard) == nil)
        #expect(ControlGroup(directory: try folder(["memory.max": ""]), [.memory, .pids], .standard) == nil)
        #expect(ControlGroup(directory: try folder([:]), [], .standard) != nil)
    }

    @Test func whatWasCountedDecidesHowAnEndIsTold() {
        let killed = escrow_end(exited: 0, value: SIGKILL, cpu_seconds: 0.1, max_rss_kib: 10)
        let failed = escrow_end(exited: 1, value: 1, cpu_seconds: 0.1, max_rss_kib: 10)
        func status(_ end: escrow_end, _ counted: ControlGroup.Count?) -> Outcome.Status {
            Outcome.Status(end, usage: .init(), limits: .standard, counted: counted, started: true)
        }
        #expect(status(killed, .init(outOfMemory: true)) == .limit(.memory))
        #expect(status(killed, .init()) == .signaled(SIGKILL))
        #expect(status(killed, nil) == .signaled(SIGKILL))
        #expect(status(failed, .init(outOfProcesses: true)) == .limit(.processes))
        #expect(status(failed, .init()) == .exited(1))
    }

    /// A place in the real hierarchy, also where it hands nothing on; nil (after a SKIP line) where there is none.
    private func real() -> ControlGroups? {
        let mounts = readSmallFile("/proc/self/mountinfo") ?? ""
        let own = readSmallFile("/proc/self/cgroup") ?? ""
        guard let parent = ControlGroups.places(mounts: mounts, own: own).first,
            access(parent + "/cgroup.procs", W_OK) == 0
        else {
            print("SKIP: no control group of version 2 may be made here")
            return nil
        }
        return ControlGroups(
            parent: parent,
            controllers: ControlGroups.controllers(
                in: readSmallFile(parent + "/cgroup.subtree_control") ?? ""))
    }

    @Test func aRunIsPutIntoAGroupOfItsOwnWhichIsGoneAfterwards() throws {
        guard let groups = real(), let program = try Probes.program("excess") else { return }
        let group = try #require(ControlGroup(groups, limits: .standard))
        let process = try Sandbox().start(
            Sandbox().prepare(
                .executable(fd: program.fd), arguments: ["burst-wait", "1"], limits: .standard),
            group: group, isParked: false)
        // Its first byte shows that it was started.
        #expect(try process.read(max: 1).count == 1)
        let members = try read("\(group.directory)/cgroup.procs").split(separator: "\n")
        #expect(members.count == 1)
        let name = try #require(group.directory.split(separator: "/").last)
        #expect(try read("/proc/\(members[0])/cgroup").contains("/\(name)\n"))
        process.kill(reason: .cancelled)
        #expect(process.finish().status == .killedByHost(.cancelled))
        #expect(access(group.directory, F_OK) != 0 && errno == ENOENT)
    }

    /// Runs a program in a group whose limits are lower than the program's own, so that it is the group that ends it.
    /// nil (after a SKIP line) where the hierarchy hands the controller on to nobody.
    private func run(
        _ program: SandboxProgram, _ arguments: [String], _ controller: ControlGroups.Controller,
        _ limits: SandboxLimits
    ) throws -> Outcome? {
        guard let groups = real() else { return nil }
        guard groups.controllers.contains(controller) else {
            print("SKIP: the control groups here do not count \(controller.rawValue)")
            return nil
        }
        let sandbox = try Sandbox()
        let prepared = try sandbox.prepare(program, arguments: arguments, limits: .init(memoryMiB: 1024))
        let group = try #require(ControlGroup(groups, limits: limits))
        let process = try sandbox.start(prepared, group: group, isParked: false)
        while let bytes = try? process.read(max: 4096), !bytes.isEmpty {}
        return process.finish(graceSeconds: 60)
    }

    @Test func aRunThatUsesMoreMemoryThanItsGroupMayIsTold() throws {
        guard let program = try Probes.program("excess") else { return }
        let limits = SandboxLimits(memoryMiB: 32)
        let ended = try run(.executable(fd: program.fd), ["memory", "200"], .memory, limits)
        guard let ended else { return }
        #expect(ended.status == .limit(.memory), "\(ended)")
        #expect(ended.usage.maxRSSKiB <= 33 << 10)
    }

    @Test func threadsThatTheGroupRefusesAreTold() throws {
        let text = """
            import threading
            event = threading.Event()
            for _ in range(10): threading.Thread(target=event.wait, daemon=True).start()
            """
        let file = try SealedFile(Array(text.utf8))
        do {
            let ended = try run(
                .script(interpreter: "python3", main: "main", files: [("main", file.fd)]), [], .pids,
                SandboxLimits(processes: 2))
            guard let ended else { return }
            #expect(ended.status == .limit(.processes), "\(ended)")
        } catch let error as Diagnostic where error.code == .interpreterUnusable {
            print("SKIP: \(error.message)")
        }
    }

    @Test func removingAGroupEndsWhatIsInIt() throws {
        guard let groups = real() else { return }
        guard
            access(groups.parent + "/cgroup.kill", F_OK) == 0 || groups.parent.split(separator: "/").count < 5
        else {
            print("SKIP: this kernel has no cgroup.kill")
            return
        }
        let group = try #require(ControlGroup(groups, limits: .standard))
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sleep"), strdup("600"), nil]
        defer { arguments.forEach { free($0) } }
        try #require(posix_spawn(&pid, "/bin/sleep", nil, nil, &arguments, environ) == 0)
        #expect(group.add(pid: String(pid)) == 0)
        #expect(rmdir(group.directory) != 0)
        _ = group.finish()
        #expect(access(group.directory, F_OK) != 0)
        var status: Int32 = 0
        #expect(waitpid(pid, &status, 0) == pid && status & 0x7f == SIGKILL)
    }

    @Test func groupsOfDeadHostsAreSweptAndOthersStay() throws {
        guard let groups = real() else { return }
        // A process that has ended, so that its number is nobody's.
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        defer { arguments.forEach { free($0) } }
        try #require(posix_spawn(&pid, "/bin/true", nil, nil, &arguments, environ) == 0)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let dead = "\(groups.parent)/escrow-\(pid)-1"
        let others = ["\(groups.parent)/escrow-\(getpid())-4000000000", "\(groups.parent)/escrow-\(pid)-x"]
        for path in [dead] + others { try #require(mkdir(path, 0o755) == 0) }
        defer { for path in [dead] + others { rmdir(path) } }
        groups.sweep()
        #expect(access(dead, F_OK) != 0)
        for path in others { #expect(access(path, F_OK) == 0) }
    }
}

/// What the doctor says of limits.
@Suite struct LimitReportTests {
    private func report(_ limit: Outcome.Limit, _ groups: ControlGroups?, notify: Int32) -> LimitReport? {
        var machine = Machine.probe()
        machine.notifyError = notify
        return Sandbox.limitReports(groups: groups, machine: machine).first { $0.limit == limit }
    }

    @Test func everyLimitIsReported() {
        #expect(Sandbox.limitReports().map(\.limit) == Outcome.Limit.allCases)
    }

    @Test func whatIsExactDependsOnTheMachine() {
        let groups = ControlGroups(parent: "/g", controllers: [.memory, .pids])
        #expect(report(.memory, groups, notify: 0)?.isExact == true)
        #expect(report(.memory, nil, notify: 0)?.isExact == false)
        #expect(
            report(.memory, ControlGroups(parent: "/g", controllers: [.pids]), notify: 0)?.isExact == false)
        #expect(report(.processes, nil, notify: 0)?.isExact == true)
        #expect(report(.processes, nil, notify: EINVAL)?.isExact == false)
        #expect(report(.processes, groups, notify: EINVAL)?.isExact == true)
        #expect(report(.cpu, groups, notify: 0)?.isExact == false)
        #expect(report(.wall, nil, notify: EINVAL)?.isExact == true)
    }
}
