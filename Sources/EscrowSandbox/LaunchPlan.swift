import CEscrowLauncher
import EscrowDiagnostics
import Glibc

/// Everything that the child reads, in memory that stays put until the child has exec'd. Most of it is the same for
/// all runs of a program and stays with its `PreparedProgram`; the rest is of one run.
final class LaunchPlan: @unchecked Sendable {
    /// The launcher's view.
    let raw: UnsafeMutablePointer<escrow_plan>
    /// What this was made from; holds the strings and descriptors that `raw` points to.
    let program: PreparedProgram
    /// The ids of the plugin outside its user namespace.
    let outsideID: UInt32
    /// The ids inside.
    static let insideID: UInt32 = 1000

    /// A plan for one run.
    init(_ program: PreparedProgram) {
        self.program = program
        raw = .allocate(capacity: 1)
        raw.initialize(to: program.template)
        outsideID = program.machine.identity.take()
        raw.pointee.pidfd = -1
        let id = raw.pointee.map_identity ? Self.insideID : outsideID
        raw.pointee.identity_user = id
        raw.pointee.identity_group = id
        raw.pointee.dumpable = escrow_is_dumpable()
    }

    deinit { raw.deallocate() }
}
