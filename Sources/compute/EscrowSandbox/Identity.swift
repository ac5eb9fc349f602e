import CEscrowLauncher
import EscrowFiles
import Glibc

/// Whom a plugin runs as, seen from outside its user namespace.
///
/// An ordinary host's plugins have the host's own uid, without its rights. A root host's plugins each get a fresh uid that
/// nobody has: with root's, RLIMIT_NPROC would not hold and root's files would be theirs; with a shared one, two could meet.
struct Identity: Sendable, Equatable {
    /// The first uid (and gid) of the range.
    var first: UInt32
    /// How many there are; 1 for the host's own.
    var count: UInt32
    /// Another identity than the host's, taken with root's rights.
    var isForeign: Bool
    var isKernelRoot: Bool

    /// Far above what accounts, services and containers are given, and unused by systemd's own table.
    static let preferred: UInt32 = 0x7000_0000
    /// Free in a namespace of 65536 ids as well, by the same table.
    static let small: UInt32 = 65520

    static func choose() -> Identity {
        let user = geteuid()
        let own = Identity(first: user, count: 1, isForeign: false, isKernelRoot: false)
        guard user == 0 else { return own }
        let users = IdentityMap(path: "/proc/self/uid_map")
        let groups = IdentityMap(path: "/proc/self/gid_map")
        if escrow_may_set_identity() {
            for (first, count) in [(preferred, UInt32(1 << 16)), (small, 14)]
            where users.contains(first, count) && groups.contains(first, count) {
                return Identity(first: first, count: count, isForeign: true, isKernelRoot: false)
            }
        }
        // Root of a container that maps nobody else: that root is the kernel's own only if it maps to 0 outside.
        return Identity(first: 0, count: 1, isForeign: false, isKernelRoot: users.outside(of: 0) == 0)
    }

    private static let next = Monitor<UInt32?>(nil)

    func take() -> UInt32 {
        guard count > 1 else { return first }
        return Self.next.withLock { next in
            // A random start: two hosts on one machine seldom pick the same.
            let turn = (next ?? UInt32.random(in: 0..<count)) % count
            next = turn &+ 1
            return first + turn
        }
    }
}

/// `/proc/self/uid_map`: lines of "inside outside count".
struct IdentityMap {
    private(set) var ranges: [(inside: UInt32, outside: UInt32, count: UInt32)] = []

    init(path: String) { self.init(text: readSmallFile(path) ?? "") }

    init(text: String) {
        for line in text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { UInt32($0) }
            if numbers.count == 3 { ranges.append((numbers[0], numbers[1], numbers[2])) }
        }
    }

    /// Whether all ids of the range are mapped by one line.
    func contains(_ first: UInt32, _ count: UInt32) -> Bool {
        ranges.contains { range in
            first >= range.inside
                && UInt64(first) + UInt64(count) <= UInt64(range.inside) + UInt64(range.count)
        }
    }

    /// What an id is one namespace further out.
    func outside(of id: UInt32) -> UInt32? {
        ranges.first { id >= $0.inside && id - $0.inside < $0.count }.map { $0.outside &+ (id - $0.inside) }
    }
}

/// Where a symbolic link leads; nil where it cannot be read.
func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0
        ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

/// A small file of /proc or /sys as text.
func readSmallFile(_ path: String) -> String? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    var buffer = [UInt8](repeating: 0, count: 16384)
    let count = Glibc.read(file.raw, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
}

/// Writes a small file of /proc or /sys in one call. Returns an errno.
func writeSmallFile(_ path: String, _ text: String) -> Int32 {
    let number = open(path, O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { return errno }
    let file = Descriptor(owning: number)
    let bytes = Array(text.utf8)
    return Glibc.write(file.raw, bytes, bytes.count) == bytes.count ? 0 : errno
}
