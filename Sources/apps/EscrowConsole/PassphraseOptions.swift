package import ArgumentParser
package import EscrowDiagnostics
import EscrowFiles
import EscrowTerminal
import Glibc

/// Where a passphrase comes from: a terminal, a file or a descriptor. Never an argument or the environment, which other
/// programs of this machine can read.
package struct PassphraseOptions: ParsableArguments {
    @Option(help: "Read the passphrase from this file; one line end at its end does not count.")
    package var passphraseFile: String?
    @Option(help: "Read the passphrase from this open file descriptor, to its end.")
    package var passphraseFd: Int32?

    private static let longest = 4_096

    /// The passphrase's bytes.
    /// - Parameter confirming: whether it is asked for twice on a terminal.
    package func read(confirming: Bool) throws(Diagnostic) -> [UInt8] {
        let bytes: [UInt8]
        switch (passphraseFile, passphraseFd) {
        case (nil, nil): bytes = try Self.ask(confirming: confirming)
        case (let file?, nil): bytes = Self.trimmed(try SecureFile.read(file, limit: Self.longest))
        case (nil, let descriptor?): bytes = Self.trimmed(try Self.drain(descriptor))
        case (_?, _?):
            throw Diagnostic(
                .passphraseUnfit, "the passphrase is said to come from two places",
                help: "give one of the two options"
            )
        }
        guard !bytes.isEmpty else {
            throw Diagnostic(.passphraseUnfit, "the passphrase is empty", help: "escrow explain E1173")
        }
        return bytes
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    private static func drain(_ descriptor: Int32) throws(Diagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 512)
        while bytes.count <= longest {
            let got = retrying { Glibc.read(descriptor, &piece, piece.count) }
            guard got >= 0 else {
                throw Diagnostic(
                    .passphraseUnfit, "descriptor \(descriptor) cannot be read", help: "escrow explain E1173")
            }
            if got == 0 { return bytes }
            bytes += piece[..<got]
        }
        throw Diagnostic(
            .passphraseUnfit, "a passphrase has \(longest) bytes at most", help: "escrow explain E1173")
    }

    private static func ask(confirming: Bool) throws(Diagnostic) -> [UInt8] {
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw Diagnostic(
                .passphraseUnfit, "there is no terminal to ask for the passphrase on",
                help: "give --passphrase-file FILE or --passphrase-fd N")
        }
        let first = try line("passphrase of the backup: ")
        guard confirming else { return first }
        guard try line("once more: ") == first else {
            throw Diagnostic(.passphraseUnfit, "the two passphrases are different", help: "try again")
        }
        return first
    }

    /// One line of the terminal, which shows nothing of it.
    private static func line(_ prompt: String) throws(Diagnostic) -> [UInt8] {
        guard let bytes = SecretLine.read(prompt, atMost: longest) else {
            throw .file("the terminal", "cannot be asked", errno)
        }
        return bytes
    }

    package init() {}
}
