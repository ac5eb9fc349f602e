import EscrowDiagnostics
import Glibc

extension Sandbox {
    /// Each wall of this machine: present, missing and why, or lowered. Runs the canary.
    public func doctor() -> [WallReport] {
        Self.examine(configuration, machine, controlGroups, proof: proof())
    }

    /// The same for a machine on which no sandbox can be made.
    public static func doctor(configuration: SandboxConfiguration = .default) -> [WallReport] {
        do { return try Sandbox(configuration: configuration).doctor() } catch {
            let groups = configuration.usesControlGroups ? ControlGroups.find() : nil
            return examine(configuration, configuration.machine ?? .probe(), groups, proof: error)
        }
    }

    private func proof() -> Diagnostic? {
        do {
            try proveWalls()
            return nil
        } catch { return error }
    }

    private static func examine(
        _ configuration: SandboxConfiguration, _ machine: Machine, _ groups: ControlGroups?,
        proof: Diagnostic?
    ) -> [WallReport] {
        let errors = machine.namespaceErrors()
        let missing = Dictionary(machine.missingWalls.map { ($0.wall, $0.reason) }) { first, _ in first }
        return Wall.allCases.map { wall in
            let state: WallReport.State
            if configuration.loweredWalls.contains(wall) {
                state = .lowered
            } else if let reason = missing[wall] {
                state = .missing(reason: reason)
            } else if let error = errors[wall] {
                state = .missing(reason: errnoSentence(error))
            } else if wall == .controlGroup {
                state =
                    groups != nil
                    ? .present
                    : .missing(
                        reason: configuration.usesControlGroups ? "none can be made here" : "not asked for")
            } else if wall == .sealedProgram, let proof {
                // Only the canary proves the whole; what it says has no better place than its last wall.
                state = .missing(reason: proof.message)
            } else {
                state = .present
            }
            return WallReport(wall: wall, state: state, detail: detail(of: wall, machine, groups, proof))
        }
    }

    private static func detail(
        of wall: Wall, _ machine: Machine, _ groups: ControlGroups?, _ proof: Diagnostic?
    ) -> String? {
        switch wall {
        case .landlock: machine.landlockABI >= 1 ? "Landlock ABI \(machine.landlockABI)" : nil
        case .seccomp:
            machine.notifyError == 0 ? "violations are named" : "violations are stopped but cannot be named"
        case .controlGroup:
            groups.map { "control groups v2 below \($0.parent)" }
                ?? "resource limits only: memory is limited by address space; runs are not refused for this"
        case .unprivilegedUser:
            machine.identity.isForeign
                ? "each run has a uid of its own from \(machine.identity.first)"
                : "plugins have this host's uid"
        case .sealedProgram: proof == nil ? "a test program was run and stopped as it must be" : nil
        default: nil
        }
    }
}
