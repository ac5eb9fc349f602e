import EscrowDiagnostics
import EscrowManifest
import EscrowTrust
import Glibc

/// A package is verified or refused, whatever its bytes are.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let path = "/tmp/escrow-fuzz-\(getpid()).escrow"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, write(file, start, count) == count else { return 0 }
    close(file)
    defer { unlink(path) }
    // TEST ONLY: the key of the vectors, whose seed is 32 bytes of 1.
    guard let key = try? SigningKey(seed: [UInt8](repeating: 1, count: 32)),
        let entry = try? TrustEntry(pattern: "org.example.*", key: key.publicKey)
    else { return 0 }
    let store = PluginStore(
        directory: "/nonexistent", trust: TrustStore([entry]), revocations: .none, installation: nil)
    _ = try? store.inspect(path, now: Moment(seconds: 1_796_083_200))
    return 0
}
