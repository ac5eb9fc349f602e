import CEscrowLauncher
import EscrowFiles
import Glibc

/// A run's own copy of its program: a sealed file in memory, which is what the kernel executes. Runs that have one text file
/// could talk through it, while it is in use by its pages, and afterwards by what of it the processors still keep.
///
/// It is one run's at a time; whoever holds it may use it.
final class RunCopy: Sendable {
    let file: Descriptor
    let size: Int

    /// Copies the program; fails with an errno.
    init(of program: PreparedProgram) throws(SystemError) {
        let number = MemoryFile.make(program.programName)
        guard number >= 0 else { throw SystemError(-number) }
        file = Descriptor(owning: number)
        size = Int(program.programSize)
        let lease = FileLease(file)
        var error = program.write(to: file)
        // Execute only: see `SealedFile`.
        if error == 0 { error = MemoryFile.seal(file, mode: 0o111) }
        guard error == 0 else { throw SystemError(error) }
        guard Self.isVerified(file, lease, program) else { throw SystemError(ETXTBSY) }
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

    /// Takes away what can be told of the run that had it and is over: its lines from the caches of the processors, which of its pages
    /// the kernel had at hand, and which were in use, from its order of what to write to swap first. False where that cannot be done.
    func clean(hasSwap: Bool = MachineMemory.hasSwap) -> Bool {
        // Whole pages: of the last one a plugin can read the zeros behind the file's end.
        let pages = (size + Self.page - 1) / Self.page * Self.page
        // A view that stays would be this process's memory, by which it is judged how much a plugin's own was.
        guard let view = mmap(nil, pages, PROT_READ, MAP_PRIVATE, file.raw, 0), view != MAP_FAILED else {
            return false
        }
        defer { munmap(view, pages) }
        guard escrow_flush(view, pages) == 0 else { return false }
        return !hasSwap || madvise(view, pages, Self.cold) == 0
    }

    private static let page = Int(getpagesize())
    /// MADV_COLD, Linux 5.4. Swift's Glibc does not show it.
    private static let cold: Int32 = 20
}
