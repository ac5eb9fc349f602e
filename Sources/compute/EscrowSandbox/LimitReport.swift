import Glibc

/// How one limit is held on this machine, for the doctor.
public struct LimitReport: Sendable, Equatable {
    public let limit: Outcome.Limit
    /// Whether its breach is seen as such; else it is inferred from how the plugin failed.
    public let isExact: Bool
    /// Who counts, and who ends the run.
    public let holder: String
}

extension Sandbox {
    public static func limitReports(configuration: SandboxConfiguration = .default) -> [LimitReport] {
        limitReports(
            groups: configuration.usesControlGroups ? ControlGroups.find() : nil,
            machine: configuration.machine ?? .probe())
    }

    static func limitReports(groups: ControlGroups?, machine: Machine) -> [LimitReport] {
        let isShown = machine.notifyError == 0
        return Outcome.Limit.allCases.map { limit in
            switch limit {
            case .wall: LimitReport(limit: limit, isExact: true, holder: "the host's clock")
            case .cpu:
                LimitReport(
                    limit: limit, isExact: false,
                    holder: "the kernel, in whole seconds; known by the time that was used")
            case .memory where groups?.controllers.contains(.memory) == true:
                LimitReport(
                    limit: limit, isExact: true,
                    holder: "memory in use: the control group; address space: the kernel, inferred")
            case .memory:
                LimitReport(
                    limit: limit, isExact: false,
                    holder: "address space: the kernel; known by how near a failing plugin had come")
            case .processes where isShown:
                LimitReport(limit: limit, isExact: true, holder: "the host, which is shown each new thread")
            case .processes:
                LimitReport(
                    limit: limit, isExact: groups?.controllers.contains(.pids) == true,
                    holder: "the kernel refuses more; what the plugin makes of it is its own end")
            case .output, .log, .rows, .data, .assets, .assetBytes:
                LimitReport(limit: limit, isExact: true, holder: "the host, which counts them")
            }
        }
    }
}
