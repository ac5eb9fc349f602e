import ArgumentParser
import EscrowTerminal
import Foundation

/// A code that somebody types: on a command line every user of this machine could read it.
enum TypedCode {
    private static let longest = 256

    /// What was given, or, for `-`, a line of standard input; a terminal shows nothing of it.
    static func read(_ given: String) throws -> String {
        guard given == "-" else { return given }
        let typed = SecretLine.read("code: ", atMost: longest).map { String(decoding: $0, as: UTF8.self) }
        let line = (typed ?? readLine() ?? "").trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty, line.utf8.count <= longest else {
            throw ValidationError("no code came on standard input")
        }
        return line
    }
}
