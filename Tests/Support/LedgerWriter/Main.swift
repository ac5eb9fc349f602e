import Crypto
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import Glibc

/// Appends to a ledger and says so, until it is done or killed: `LedgerWriter DIRECTORY NAME COUNT`.
///
/// A line on stdout names each record that `append` acknowledged. Every fourth record begins a run, the next one but one
/// ends it.
@main struct LedgerWriter {
    static func main() {
        do { try write() } catch { exit(1) }
    }

    private static func write() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            print("usage: LedgerWriter DIRECTORY NAME COUNT")
            exit(64)
        }
        let ledger = try Ledger.open(directory: arguments[1], signer: FixedKey())
        for index in 0..<count {
            let fields: JSONValue = ["writer": .string(arguments[2]), "index": .integer(Int64(index))]
            let run = "r-\(arguments[2])-\(index / 4)"
            let entry: LedgerEntry
            switch index % 4 {
            case 0: entry = try ledger.append(.runIntent, run: run, fields: fields)
            case 2: entry = try ledger.append(.runEnd, run: run, fields: fields)
            default: entry = try ledger.append(.decision, fields: fields)
            }
            let line = Array("\(entry.sequence) \(entry.commitment)\n".utf8)
            guard Glibc.write(1, line, line.count) == line.count else { exit(1) }
        }
    }
}

/// The key of the tests. TEST ONLY.
struct FixedKey: HeadSigner {
    let key: Curve25519.Signing.PrivateKey
    let keyID = "SHA256:TEST-ONLY-7"
    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    init() throws { key = try .init(rawRepresentation: [UInt8](repeating: 7, count: 32)) }

    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        do { return Array(try key.signature(for: message)) } catch {
            throw Diagnostic(.ownFault, "the test key cannot sign")
        }
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.publicKey.isValidSignature(signature, for: message)
    }
}
