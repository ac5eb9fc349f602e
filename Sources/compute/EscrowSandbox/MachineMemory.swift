import CEscrowLauncher
import EscrowFiles
import Glibc

/// How this machine manages memory, as far as a run could leave something in pages that another run has after it.
enum MachineMemory {
    /// Whether the kernel writes memory to swap, in an order that says what was in use. proc_swaps(5): a line for each, below a
    /// heading. True where it does not say.
    static var hasSwap: Bool { (readSmallFile("/proc/swaps") ?? "\n\n").split(separator: "\n").count != 1 }

    /// Why pages that a run had cannot be made as new, in words; nil where they can.
    static let keepsTraces: String? = {
        var line: UInt8 = 0
        if escrow_flush(&line, 1) != 0 { return "caches cannot be flushed on this kind of processor" }
        let pages = "/sys/kernel/mm/transparent_hugepage"
        guard let sizes = try? Folder.names(pages) else {
            return "the kernel does not say how large pages are"
        }
        return traces(
            nodes: readSmallFile("/sys/devices/system/node/online"),
            largePages: readSmallFile("\(pages)/shmem_enabled"),
            sizes: sizes.compactMap { readSmallFile("\(pages)/\($0)/shmem_enabled") })
    }()

    /// The same from what the kernel says: of its memory's nodes, of large pages in memory files, and of each size of these, which
    /// newer kernels have.
    static func traces(nodes: String?, largePages: String?, sizes: [String]) -> String? {
        guard nodes == "0\n" else { return "the kernel may move a page to the processor that uses it" }
        let settings = [largePages ?? ""] + sizes
        let never = ["[never]", "[deny]", "[inherit]"]
        guard settings.allSatisfy({ setting in never.contains { setting.contains($0) } }) else {
            return "the kernel may make a large page of pages that are in use"
        }
        return nil
    }
}
