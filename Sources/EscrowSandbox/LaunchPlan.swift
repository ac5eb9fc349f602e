import CEscrowLauncher
import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Everything that the child reads, in memory that stays put until the child has exec'd. Most of it is the same for
/// all runs of a program and stays with its `PreparedProgram`; the rest is of one run: its ids, its pipes, and its own
/// copy of the program. Runs that had one file for their text could talk through it, and so could runs of two apps.
final class LaunchPlan: @unchecked Sendable {
    /// The launcher's view.
    let raw: UnsafeMutablePointer<escrow_plan>
    /// What this was made from; holds the strings and descriptors that `raw` points to.
    let program: PreparedProgram
    /// The ids of the plugin outside its user namespace.
    let outsideID: UInt32
    /// The ids inside.
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
        var error = escrow_append(copy.raw, program.template.program, program.programSize)
        // Execute only: see `SealedFile`.
        if error == 0 { error = MemoryFile.seal(copy, mode: 0o111) }
        guard error == 0 else { throw SystemError(error) }
        // From here on nobody can change it; before, somebody may have.
        guard program.isWhole(copy) else { throw SystemError(ETXTBSY) }
        return copy.release()
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
