import Glibc

/// The libraries that a program of this machine asks its loader for (System V gABI, chapter 5, "Dynamic Section").
enum LinkedLibraries {
    /// Their names, as they stand in the file; none of what cannot be read as one of this machine's.
    static func names(in descriptor: Int32) -> [String] {
        guard let header = Executable.read(descriptor, offset: 0, count: 64),
            header[0..<6] == [0x7f, 0x45, 0x4c, 0x46, 2, 1]
        else { return [] }
        let count = Executable.number(header, 56, 2)
        let table = Executable.number(header, 32, 8)
        guard Executable.number(header, 54, 2) == 56, count >= 1, count <= 128, table <= 1 << 40,
            let programs = Executable.read(descriptor, offset: table, count: Int(count) * 56)
        else { return [] }
        var segments: [(address: UInt64, offset: UInt64, size: UInt64)] = []
        var dynamic: [UInt8] = []
        for index in 0..<Int(count) {
            let at = index * 56
            let offset = Executable.number(programs, at + 8, 8)
            let size = Executable.number(programs, at + 32, 8)
            switch Executable.number(programs, at, 4) {
            case 1: segments.append((Executable.number(programs, at + 16, 8), offset, size))
            case 2:
                guard size <= 1 << 16, offset <= 1 << 40 else { return [] }
                dynamic = Executable.read(descriptor, offset: offset, count: Int(size)) ?? []
            default: break
            }
        }
        var needed: [UInt64] = []
        var texts: UInt64?
        for at in stride(from: 0, through: dynamic.count - 16, by: 16) {
            let value = Executable.number(dynamic, at + 8, 8)
            switch Executable.number(dynamic, at, 8) {
            case 1: needed.append(value)
            case 5:
                let segment = segments.first { value >= $0.address && value - $0.address < $0.size }
                texts = segment.map { $0.offset &+ (value - $0.address) }
            default: break
            }
        }
        guard let texts else { return [] }
        return needed.compactMap { text(descriptor, at: texts &+ $0) }
    }

    private static func text(_ descriptor: Int32, at offset: UInt64) -> String? {
        guard offset <= 1 << 40 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
        guard count > 0, let end = bytes[..<count].firstIndex(of: 0), end > 0 else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
