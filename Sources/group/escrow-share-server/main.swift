import ArgumentParser
import Crypto
import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowShareService
import Foundation

/// Ends, and says why.
func give(up words: String) -> Never {
    FileHandle.standardError.write(Data("escrow-share-server: \(words)\n".utf8))
    exit(1)
}

/// Deletes what is due; false where it could not, which is said once. A disk may be full, or a database on another machine away for a
/// while: what is due goes as soon as it can.
func sweep(_ service: LockedService, isLate: Bool = false) -> Bool {
    do {
        try service.sweep()
        return true
    } catch {
        guard !isLate else { return false }
        let reason = (error as? Diagnostic)?.message ?? "the machine failed"
        FileHandle.standardError.write(
            Data("escrow-share-server: what is due cannot be deleted yet: \(reason)\n".utf8))
        return false
    }
}

Forgetting.begin()
Crash.leavesNothing()
signal(SIGPIPE, SIG_IGN)
// A blocked signal is inherited through exec: the server could not be ended by SIGTERM.
var none = sigset_t()
sigemptyset(&none)
pthread_sigmask(SIG_SETMASK, &none, nil)
let options = Options.parseOrExit()
do {
    let certificate = try SecureFile.read(options.certificate, limit: 1 << 20)
    let pem = try SecureFile.read(options.key, limit: 1 << 16)
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self))
    else {
        give(up: "\(options.key) holds no P-256 key")
    }
    let service = LockedService(
        ShareService(try options.store(), limits: options.limits), knowsAddresses: options.perAddress > 0)
    var isLate = !sweep(service)
    guard let port = Server.start(options, key: pem, certificate: certificate, service) else {
        give(up: "cannot listen at \(options.address), port \(options.port), with this certificate")
    }
    let pin = Base64.encode(Array(SHA256.hash(data: key.publicKey.derRepresentation)))
    // Where it is and what it is known by: what a group's owner names to others.
    FileHandle.standardOutput.write(Data("https://\(options.address):\(port)#sha256//\(pin)\n".utf8))
    while true {
        usleep(100_000)
        isLate = !sweep(service, isLate: isLate)
    }
} catch let diagnostic as Diagnostic {
    give(up: diagnostic.message)
} catch {
    give(up: "the machine failed")
}
