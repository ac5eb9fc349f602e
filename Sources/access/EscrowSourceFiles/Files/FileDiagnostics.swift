internal import EscrowDiagnostics
internal import Glibc

extension Diagnostic {
    static func sourceUnreadable(_ path: String, errno code: Int32) -> Diagnostic {
        Diagnostic(
            .sourceUnreadable,
            "the source '\(path)' cannot be read: " + String(cString: strerror(code)).lowercasedFirst,
            help: "put it back, or take it out with `escrow source remove`")
    }
}
