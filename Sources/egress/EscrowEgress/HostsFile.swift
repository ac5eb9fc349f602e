import Glibc

/// What the owner of this machine wrote of names: `/etc/hosts`. hosts(5)
///
/// Names are asked as absolute, which the system's own look into that file does not find: it compares names as they are
/// written. Who keeps a server away by a line there must go on doing so.
struct HostsFile: Sendable {
    /// The file of this machine.
    static let system = HostsFile(path: "/etc/hosts")

    let path: String

    /// The addresses of a name, in the file's order; empty where it has none, or there is no file.
    func addresses(of host: String) -> [IPAddress] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        var found: [IPAddress] = []
        while true {
            let count = getline(&line, &size, file)
            guard count > 0, let line else { return found }
            let bytes = UnsafeRawBufferPointer(start: line, count: count)
            if let address = Self.address(of: host, in: bytes), !found.contains(address) {
                found.append(address)
            }
        }
    }

    /// The address of a line, if the name is among those that follow it.
    private static func address(of host: String, in line: UnsafeRawBufferPointer) -> IPAddress? {
        let words = line.prefix { $0 != UInt8(ascii: "#") }
            .split { [0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C].contains($0) }
        guard let first = words.first, words.dropFirst().contains(where: { isSame($0, host) }) else {
            return nil
        }
        return IPAddress(String(decoding: first, as: UTF8.self))
    }

    /// Letter case makes no difference in names; that of a manifest is lower.
    private static func isSame(_ word: Slice<UnsafeRawBufferPointer>, _ host: String) -> Bool {
        word.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(host.utf8)
    }
}
