import COffloadWalls
public import EscrowDiagnostics
import EscrowFiles
public import EscrowOffloadWire
import Glibc

/// The machine that a server runs on: what it has, and whether its memory stays memory.
public enum ServerMachine {
    /// Keeps what runs pass through this process out of core files, of other processes and of swap. Throws where memory could be
    /// written to a disk: E1222. Says whether its memory is also locked.
    public static func shutIn() throws(Diagnostic) -> Bool {
        guard offload_shut_in() == 0 else {
            throw Diagnostic(.serverHomeUnfit, "this process cannot give up its core files")
        }
        offload_wipe_freed()
        // A plugin's process locks nothing: for it, too, there must be no swap.
        guard hasNoSwap else {
            throw Diagnostic(
                .memoryMayBeSwapped, "this machine has swap, and could write people's data to its disk",
                help: "swapoff -a; or run it where MemorySwapMax=0 holds, as its systemd unit does")
        }
        // Without swap nothing is written; this holds if some is added later.
        return offload_lock_memory() == 0
    }

    /// What the owner is told where memory cannot be locked.
    public static let unlocked =
        "memory cannot be locked: if swap is added to this machine while it serves, people's data could be written there; "
        + "raise RLIMIT_MEMLOCK, as its systemd unit does"

    /// Raises how many descriptors this process may have to what the machine's owner allows; how many that are.
    public static func raiseDescriptors() -> Int {
        let which = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(which, &limit) == 0 else { return 256 }
        // Beyond this none is used.
        let wanted = rlimit(
            rlim_cur: max(limit.rlim_cur, min(limit.rlim_max, mostDescriptors)), rlim_max: limit.rlim_max)
        if withUnsafePointer(to: wanted, { setrlimit(which, $0) }) == 0 { limit = wanted }
        return Int(min(limit.rlim_cur, mostDescriptors))
    }

    private static let mostDescriptors: rlim_t = 1 << 20

    static var hasNoSwap: Bool {
        let swaps = lines("/proc/swaps").dropFirst()
        if swaps.isEmpty { return true }
        guard let line = lines("/proc/self/cgroup").first(where: { $0.hasPrefix("0::") }) else {
            return false
        }
        return lines("/sys/fs/cgroup\(line.dropFirst(3))/memory.swap.max").first == "0"
    }

    /// Whether this process was started so that what it frees is wiped at once; else it starts itself anew, once.
    public static func beWiping(_ arguments: [String]) {
        let name = "GLIBC_TUNABLES"
        let value = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"
        if getenv(name).map({ String(cString: $0) }) == value { return }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        _ = offload_again_with(name, value, words)
    }

    public static func description(_ settings: ServerSettings, version: String) -> ServerDescription {
        var description = ServerDescription()
        description.server = settings.name
        description.version = version
        var system = utsname()
        uname(&system)
        description.system =
            withUnsafeBytes(of: &system.sysname) { text($0) } + " "
            + withUnsafeBytes(of: &system.release) { text($0) }
        description.processor =
            lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }?.split(separator: ":").last.map {
                String($0.drop { $0 == " " }.prefix(100))
            } ?? withUnsafeBytes(of: &system.machine) { text($0) }
        description.processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        description.memoryMiB = max(0, sysconf(Int32(_SC_PHYS_PAGES)) / 256)
        var disk = statvfs()
        if statvfs("/", &disk) == 0 { description.storageMiB = Int(disk.f_bavail * disk.f_frsize) >> 20 }
        return description
    }

    /// The executable that runs: not what lies at its path by now.
    public static func program() throws(Diagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            let file = try Descriptor(opening: "/proc/self/exe", O_RDONLY)
            while true {
                let piece = try file.read(1 << 20)
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        } catch {
            throw Diagnostic(.serverHomeUnfit, "this program's own file cannot be read")
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func lines(_ path: String) -> [String] {
        guard let file = try? Descriptor(opening: path, O_RDONLY) else { return [] }
        var bytes: [UInt8] = []
        while let piece = try? file.read(65_536), !piece.isEmpty, bytes.count < 1 << 20 { bytes += piece }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
