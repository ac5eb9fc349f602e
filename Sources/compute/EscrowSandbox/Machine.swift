import CEscrowLauncher
import CSeccomp
import EscrowDiagnostics
import Glibc

/// What this machine's kernel can do for a sandbox: cheap questions, asked once per sandbox.
struct Machine: Sendable {
    /// Landlock's version, or the negated errno.
    var landlockABI: Int32
    /// The errno of asking for a listener as a filter's action; 0 where it is known.
    var notifyError: Int32
    /// The errno of asking for a process to be killed by a filter; 0 where it is known.
    var killError: Int32
    /// The errno of the calls that stop a plugin and see its end, asked about no process; 0 where both are there.
    var stopError: Int32 = 0
    /// Why no sealed file can be made; nil where one can.
    var sealError: String?
    var identity: Identity
    /// The errno that each namespace gives where these walls are lowered; asked only when the canary fails, and by the
    /// doctor.
    var namespaceErrors: @Sendable (Set<Wall>) -> [Wall: Int32]

    static func probe() -> Machine {
        Machine(
            landlockABI: escrow_landlock_abi(),
            notifyError: escrow_seccomp_action(escrow_action_notify),
            killError: escrow_seccomp_action(escrow_action_kill_process),
            stopError: probeStop(),
            sealError: probeSeal(),
            identity: Identity.choose(),
            namespaceErrors: probeNamespaces)
    }

    /// The canary cannot find these out: a plugin that cannot be killed would hold it up for ever. The kernel knows the
    /// calls (Linux 5.4) when it says that -1 is no descriptor.
    private static func probeStop() -> Int32 {
        var end = escrow_end()
        for error in [escrow_kill(-1), escrow_reap(-1, &end)] where error != EBADF && error != EINVAL {
            return error == 0 ? ENOSYS : error
        }
        return 0
    }

    private static func probeSeal() -> String? {
        do {
            _ = try SealedFile([])
            return nil
        } catch { return error.message }
    }

    static let namespaces: [Wall] = [
        .userNamespace, .mountNamespace, .networkNamespace, .processNamespace, .ipcNamespace,
        .hostnameNamespace,
    ]

    /// Each namespace by itself, inside a new user namespace where runs have one.
    private static func probeNamespaces(_ lowered: Set<Wall>) -> [Wall: Int32] {
        var errors: [Wall: Int32] = [:]
        let user = Wall.userNamespace.cloneFlag ?? 0
        let userError = escrow_probe_namespaces(user)
        let base = userError == 0 && !lowered.contains(.userNamespace) ? user : 0
        for wall in namespaces {
            guard let flag = wall.cloneFlag else { continue }
            let error = wall == .userNamespace ? userError : escrow_probe_namespaces(flag | base)
            if error != 0 { errors[wall] = error }
        }
        return errors
    }

    /// Landlock rights that this kernel knows, all of them to be handled (that is, denied unless a rule says so).
    var landlockRights: (files: UInt64, network: UInt64, scope: UInt64) {
        guard landlockABI >= 1 else { return (0, 0, 0) }
        var files: UInt64 = (1 << 13) - 1
        if landlockABI >= 2 { files |= 1 << 13 }  // REFER
        if landlockABI >= 3 { files |= 1 << 14 }  // TRUNCATE
        if landlockABI >= 5 { files |= 1 << 15 }  // IOCTL_DEV
        return (files, landlockABI >= 4 ? 3 : 0, landlockABI >= 6 ? 3 : 0)
    }

    /// Walls that the cheap questions already show to be missing, with the reason.
    var missingWalls: [(wall: Wall, reason: String)] {
        var missing: [(Wall, String)] = []
        if notifyError != 0, killError != 0 {
            missing.append((.seccomp, "the kernel refuses filters: \(errnoSentence(killError))"))
        }
        if let sealError { missing.append((.sealedProgram, sealError)) }
        if stopError != 0 {
            missing.append((.seccomp, "no plugin could be stopped: \(errnoSentence(stopError))"))
        }
        if landlockABI < 1 {
            missing.append((.landlock, "the kernel refuses it: \(errnoSentence(-landlockABI))"))
        }
        if identity.isKernelRoot {
            missing.append((.unprivilegedUser, "the host is root and no other user is mapped here"))
        }
        return missing
    }
}

extension Wall {
    /// The refusal of a run for want of this wall.
    func missing(_ reason: String, alsoMissing others: [Wall] = []) -> Diagnostic {
        let code: Diagnostic.Code =
            switch self {
            case .userNamespace, .mountNamespace, .networkNamespace, .processNamespace, .ipcNamespace,
                .hostnameNamespace:
                .namespaceMissing
            case .landlock: .landlockMissing
            case .seccomp: .seccompMissing
            case .unprivilegedUser: .noUnprivilegedUser
            default: .wallDoesNotHold
            }
        var notes = ["this wall means: \(purpose)"]
        if !others.isEmpty { notes.append("also missing: \(others.map(\.rawValue).joined(separator: ", "))") }
        return Diagnostic(
            code, "the wall \(rawValue) is missing on this machine: \(reason)", notes: notes,
            help: canBeLowered
                ? "`escrow doctor` shows what to change; to run without it, lower it by name: "
                    + "{ \"loweredWalls\": [\"\(rawValue)\"] } in config.json of the escrow home"
                : "`escrow doctor` shows what to change; this wall cannot be lowered")
    }
}
