import CEscrowLauncher
import EscrowFiles
import Glibc

/// Everything that the child reads, in memory that does not move until the child has exec'd. What all runs of a program share
/// is in its `PreparedProgram`; the rest is of one run: its ids, its pipes, and its own copy of the program, as runs with one
/// text file could talk through it.
final class LaunchPlan: @unchecked Sendable {
    let raw: UnsafeMutablePointer<escrow_plan>
    /// What this was made from; holds the strings and descriptors that `raw` points to.
    let program: PreparedProgram
    /// The ids of the plugin outside its user namespace.
    let outsideID: UInt32
    static let insideID: UInt32 = 1000
    /// The run's copy of its program; nil for a script.
    private var copy: RunCopy?

    /// A plan for one run. Fails with the errno of making the copy.
    init(_ program: PreparedProgram) throws(SystemError) {
        self.program = program
        copy = try Self.copy(of: program)
        raw = .allocate(capacity: 1)
        raw.initialize(to: program.template)
        raw.pointee.program = copy?.file.raw ?? -1
        outsideID = program.machine.identity.take()
        raw.pointee.pidfd = -1
        let id = raw.pointee.map_identity ? Self.insideID : outsideID
        raw.pointee.identity_user = id
        raw.pointee.identity_group = id
        raw.pointee.dumpable = escrow_is_dumpable()
    }

    private static func copy(of program: PreparedProgram) throws(SystemError) -> RunCopy? {
        guard program.template.program >= 0 else { return nil }
        if let copy = program.copies.take() { return copy }
        return try RunCopy(of: program)
    }

    /// For the supervisor, once the run's process was reaped: another run may have its copy.
    func giveBackCopy() {
        guard let copy else { return }
        self.copy = nil
        raw.pointee.program = -1
        program.copies.giveBack(copy)
    }

    deinit { raw.deallocate() }
}
