internal import EscrowTabular
internal import Glibc

/// statx(2), which alone tells when a file was made. The C library has it since 2.28, and Swift's view of that library does
/// not show it.
enum BirthTime {
    private typealias Call =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32
    private static let call: Call? = dlsym(nil, "statx").map { unsafeBitCast($0, to: Call.self) }

    /// When the file `name` within an open folder was made; links are not followed unless asked.
    static func read(_ folder: Int32, _ name: UnsafePointer<CChar>, followsLinks: Bool = false) -> Timestamp?
    {
        guard let call else { return nil }
        let wanted: UInt32 = 0x800  // STATX_BTIME
        // struct statx of linux/stat.h has 256 bytes: stx_mask first, stx_btime at 80 as seconds and nanoseconds.
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer -> Timestamp? in
            guard
                call(folder, name, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW, wanted, buffer.baseAddress!) == 0,
                buffer.load(as: UInt32.self) & wanted != 0
            else { return nil }
            let seconds = buffer.load(fromByteOffset: 80, as: Int64.self)
            let nanoseconds = Int64(buffer.load(fromByteOffset: 88, as: UInt32.self))
            let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
            return microseconds.overflow
                ? nil : Timestamp(microseconds: microseconds.partialValue &+ nanoseconds / 1_000)
        }
    }
}
