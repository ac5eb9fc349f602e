/// How an app's id is known, the weakest first.
///
/// What was granted to an app that was known better is no grant for a program that only says that it is the same.
public enum AppProof: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The program says so itself.
    case claim
    /// It has a token that the individual gave out under that id.
    case token
    /// The session started it in a scope of that name.
    case scope
    /// Flatpak started it, and wrote its id where it cannot write.
    case flatpak
    /// `escrow app run` started it with a socket of its own.
    case socket

    public static func < (left: AppProof, right: AppProof) -> Bool { left.strength < right.strength }

    private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// How it is known, for the sheet.
    public var words: String {
        switch self {
        case .claim: "its own word: it claims to be this app"
        case .token: "proved by a token that you gave it"
        case .scope: "proved by the scope that your session started it in"
        case .flatpak: "proved by its Flatpak instance"
        case .socket: "proved by its own socket"
        }
    }

    /// The same where only a few words fit.
    public var short: String { self == .claim ? "claims to be" : words }
}
