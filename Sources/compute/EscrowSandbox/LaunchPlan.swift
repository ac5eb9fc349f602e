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
    private var isReleased = false

    /// A plan for one run. Fails with the errno of making the copy.
    init(_ program: PreparedProgram) throws(SystemError) {
        self.program = program
        let copy = try Self.copy(of: program)
        raw = .allocate(capacity: 1)
        raw.initialize(to: program.template)
        raw.pointee.program = copy
        outsideID = program.machine.identity.take()
        raw.pointee.pidfd = -1
        let id = raw.pointee.map_identity ? Self.insideID : outsideID
        raw.pointee.identity_user = id
        raw.pointee.identity_group = id
        raw.pointee.dumpable = escrow_is_dumpable()
    }

    /// The sealed program in a sealed file of this run's own; -1 for a script.
    private static func copy(of program: PreparedProgram) throws(SystemError) -> Int32 {
        guard program.template.program >= 0 else { return -1 }
        let number = MemoryFile.make(program.programName)
        guard number >= 0 else { throw SystemError(-number) }
        let copy = Descriptor(owning: number)
        let lease = FileLease(copy)
        var error = program.write(to: copy)
        // Execute only: see `SealedFile`.
        if error == 0 { error = MemoryFile.seal(copy, mode: 0o111) }
        guard error == 0 else { throw SystemError(error) }
        guard isVerified(copy, lease, program) else { throw SystemError(ETXTBSY) }
        return copy.release()
    }

    /// Whether a sealed copy holds what was verified. Before it was sealed another process of this user could have written to it, if
    /// it opened it. Where the kernel cannot say that nobody did, every byte is looked at, which takes longer than to write them.
    static func isVerified(
        _ copy: borrowing Descriptor, _ lease: borrowing FileLease?, _ program: PreparedProgram
    ) -> Bool {
        switch lease {
        case .some(let lease) where lease.isKept: true
        default: program.isWhole(copy)
        }
    }

    /// Gives the copy to who closes it once the child has its own; -1 for a script.
    func releaseProgram() -> Int32 {
        isReleased = true
        return raw.pointee.program
    }

    deinit {
        if !isReleased, raw.pointee.program >= 0 { close(raw.pointee.program) }
        raw.deallocate()
    }
}
