import CSeccomp
import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// A wall that is missing stops every run, by name, unless it was lowered by name.
@Suite struct WallTests {
    private func refusal(_ configuration: SandboxConfiguration) throws -> Diagnostic? {
        let file = try SealedFile(Canary.image)
        do throws(Diagnostic) {
            let process = try Sandbox(configuration: configuration)
                .launch(.executable(fd: file.fd), name: "canary")
            _ = process.finish(graceSeconds: 60)
            return nil
        } catch { return error }
    }

    @Test func everyWallStandsHere() throws {
        for report in try Sandbox().doctor() where report.wall != .controlGroup {
            #expect(report.state == .present, "\(report)")
        }
    }

    @Test func aKernelWithoutLandlockIsRefusedByName() throws {
        var machine = Machine.probe()
        machine.landlockABI = -ENOSYS
        var configuration = SandboxConfiguration()
        configuration.machine = machine
        let error = try #require(try refusal(configuration))
        #expect(error.code == .landlockMissing)
        #expect(error.message.hasPrefix("the wall landlock is missing on this machine"))
        #expect(error.exitStatus == .wallMissing)
        configuration.loweredWalls = [.landlock]
        #expect(try refusal(configuration) == nil)
    }

    @Test func aKernelWithoutFiltersIsRefusedAndThatCannotBeLowered() throws {
        var machine = Machine.probe()
        machine.notifyError = ENOSYS
        machine.killError = ENOSYS
        var configuration = SandboxConfiguration()
        configuration.machine = machine
        #expect(try refusal(configuration)?.code == .seccompMissing)
        #expect(try refusal(SandboxConfiguration(loweredWalls: [.seccomp]))?.code == .wallNotLowerable)
    }

    @Test func aHostThatIsRootWithoutAnotherUserIsRefused() throws {
        var machine = Machine.probe()
        machine.identity = Identity(first: 0, count: 1, isForeign: false, isKernelRoot: true)
        var configuration = SandboxConfiguration()
        configuration.machine = machine
        #expect(try refusal(configuration)?.code == .noUnprivilegedUser)
    }

    @Test func withoutAListenerViolationsAreStoppedUnnamed() throws {
        var machine = Machine.probe()
        machine.notifyError = EINVAL
        var configuration = SandboxConfiguration()
        configuration.machine = machine
        let file = try SealedFile(Canary.image)
        let ran = try Sandbox(configuration: configuration).run(.executable(fd: file.fd))
        #expect(ran.output == "ok")
        #expect(ran.outcome.status == .violation)
        #expect(ran.outcome.syscall == nil)
        #expect(ran.outcome.diagnostic(plugin: "canary", version: "1.0.0")?.code == .systemCallNotAllowed)
    }

    @Test func oneConfigurationsProofIsNotAnothers() async {
        await #expect(processExitsWith: .exitCode(20)) {
            let before = try Sandbox()
            try before.proveWalls()
            try deny("landlock_restrict_self", EOPNOTSUPP)
            // The first one's proof is its own: another configuration is proved anew.
            try exitWithRefusal("the wall landlock is missing")
        }
    }

    @Test func aProofThatFailedForAMomentIsMadeAgain() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let sandbox = try Sandbox()
            let file = try SealedFile(Canary.image)
            var whole = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &whole)
            var none = rlimit(rlim_cur: 4, rlim_max: whole.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            let error = #expect(throws: Diagnostic.self) {
                _ = try sandbox.launch(.executable(fd: file.fd), name: "canary")
            }
            #expect(error?.code == .wallDoesNotHold || error?.code == .sandboxNotStarted)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &whole)
            let process = try sandbox.launch(.executable(fd: file.fd), name: "canary")
            exit(process.finish(graceSeconds: 60).status == .violation ? 0 : 3)
        }
    }

    @Test func idMapsAreReadAsTheKernelWritesThem() {
        let whole = IdentityMap(text: "         0          0 4294967295\n")
        #expect(whole.contains(Identity.preferred, 1 << 16))
        #expect(whole.outside(of: 0) == 0)
        let container = IdentityMap(text: "0 100000 65536\n")
        #expect(!container.contains(Identity.preferred, 1 << 16))
        #expect(container.contains(Identity.small, 14))
        #expect(container.outside(of: 0) == 100_000)
        #expect(IdentityMap(text: "0 1000 1\n").outside(of: 1) == nil)
    }

    // Each of these runs in a process of its own, under a filter that makes it an older or stricter machine.

    @Test func aMachineThatForbidsUserNamespacesIsRefusedByName() async {
        await #expect(processExitsWith: .exitCode(20)) {
            try deny("clone", EPERM, SCMP_CMP_MASKED_EQ, 0x1000_0000)
            try exitWithRefusal("the wall user-namespace is missing")
        }
    }

    @Test func aMachineThatForbidsNetworkNamespacesIsRefusedByName() async {
        await #expect(processExitsWith: .exitCode(20)) {
            try deny("clone", ENOSPC, SCMP_CMP_MASKED_EQ, 0x4000_0000)
            try deny("unshare", ENOSPC)
            try exitWithRefusal("the wall network-namespace is missing")
        }
    }

    @Test func aLoweredNamespaceIsNotMissed() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try deny("clone", ENOSPC, SCMP_CMP_MASKED_EQ, 0x4000_0000)
            try exitWithRefusal("", lowered: [.networkNamespace])
        }
    }

    @Test func withEveryNamespaceLoweredTheOtherWallsStillStop() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try deny("clone", EPERM, SCMP_CMP_MASKED_EQ, 0x1000_0000)
            try exitWithRefusal("", lowered: Set(Machine.namespaces))
        }
    }

    @Test func aMachineThatForbidsLandlockIsRefusedByName() async {
        await #expect(processExitsWith: .exitCode(20)) {
            try deny("landlock_restrict_self", EOPNOTSUPP)
            try exitWithRefusal("the wall landlock is missing")
        }
    }

    @Test func aHostUnderAListenerOfItsOwnStopsUnnamed() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try deny("seccomp", EBUSY, SCMP_CMP_EQ, 8, argument: 1)
            try exitWithRefusal("")
        }
    }
}

/// Makes this process's kernel answer a call with an errno.
private func deny(
    _ call: String, _ error: Int32, _ comparison: scmp_compare? = nil, _ value: UInt64 = 0,
    argument: UInt32 = 0
) throws {
    let context = try #require(seccomp_init(escrow_action_allow))
    defer { seccomp_release(context) }
    let comparisons =
        comparison.map { [scmp_arg_cmp(arg: argument, op: $0, datum_a: value, datum_b: value)] } ?? []
    let number = seccomp_syscall_resolve_name(call)
    try #require(
        seccomp_rule_add_array(
            context, escrow_action_errno(error), number, UInt32(comparisons.count), comparisons) == 0)
    try #require(seccomp_load(context) == 0)
}

/// Exits 20 when the canary is refused with such a sentence, 0 when it runs, 3 otherwise.
private func exitWithRefusal(_ prefix: String, lowered: Set<Wall> = []) throws -> Never {
    exit(refusalStatus(prefix, lowered))
}

private func refusalStatus(_ prefix: String, _ lowered: Set<Wall>) -> Int32 {
    do throws(Diagnostic) {
        let file = try SealedFile(Canary.image)
        let sandbox = try Sandbox(configuration: .init(loweredWalls: lowered))
        let process = try sandbox.launch(.executable(fd: file.fd), name: "canary")
        return process.finish(graceSeconds: 60).status == .violation ? 0 : 3
    } catch {
        print(error)
        return error.message.hasPrefix(prefix) ? error.exitStatus.rawValue : 3
    }
}
