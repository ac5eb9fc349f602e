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
    let service = LockedService(ShareService(try options.store(), limits: options.limits))
    try service.sweep()
    guard let port = Server.start(options, key: pem, certificate: certificate, service) else {
        give(up: "cannot listen at \(options.address), port \(options.port), with this certificate")
    }
    let pin = Base64.encode(Array(SHA256.hash(data: key.publicKey.derRepresentation)))
    // Where it is and what it is known by: what a group's owner names to others.
    FileHandle.standardOutput.write(Data("https://\(options.address):\(port)#sha256//\(pin)\n".utf8))
    while true {
        usleep(100_000)
        do { try service.sweep() } catch {
            // A database that is on another machine may be away for a while: what is due goes when it is back.
            guard options.postgres != nil else { throw error }
        }
    }
} catch let diagnostic as Diagnostic {
    give(up: diagnostic.message)
} catch {
    give(up: "the machine failed")
}
