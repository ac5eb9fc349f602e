import CEgressWalls
import Glibc

/// What this process shuts itself in with, before it reads a word.
enum Walls {
    /// Where distributions keep their authorities, and what those files are links to.
    private static let folders = [
        "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates",
    ]

    /// 0, or the errno of the wall that could not be built.
    static func build() -> Int32 {
        var list = folders.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for path in list { free(UnsafeMutablePointer(mutating: path)) } }
        return escrow_egress_walls(&list)
    }
}
