import EscrowSharing
import Foundation

/// Our shares beside libgfshare's, which are values alone: ours are made with randomness, a digest and commitments, and checked
/// when they are put together.
enum Shamir {
    private typealias Context = OpaquePointer
    private typealias BeginSplit = @convention(c) (UnsafePointer<UInt8>, UInt32, UInt8, UInt32) -> Context
    private typealias SetSecret = @convention(c) (Context, UnsafePointer<UInt8>) -> Void
    private typealias GetShare = @convention(c) (Context, UInt8, UnsafeMutablePointer<UInt8>) -> Void
    private typealias BeginCombine = @convention(c) (UnsafePointer<UInt8>, UInt32, UInt32) -> Context
    private typealias GiveShare = @convention(c) (Context, UInt8, UnsafePointer<UInt8>) -> Void
    private typealias Extract = @convention(c) (Context, UnsafeMutablePointer<UInt8>) -> Void

    static func compare() throws {
        guard let library = dlopen("libgfshare.so.2", RTLD_NOW),
            let random = dlsym(library, "gfshare_fill_rand")?.assumingMemoryBound(to: UnsafeRawPointer?.self),
            let source = dlsym(library, "gfshare_bad_idea_but_fill_rand_using_random")
        else { return print("SKIP libgfshare is not here: apt-get install libgfshare-bin") }
        random.pointee = source.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee
        func call<Function>(_ name: String, _: Function.Type) -> Function {
            unsafeBitCast(dlsym(library, name), to: Function.self)
        }
        let size = 1 << 20
        let secret = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        print(
            "Shamir, 1 MiB, ns a byte of the message: split into n = k + 1, gfshare and ours; combine, gfshare and ours"
        )
        for threshold in [2, 3, 5, 10] {
            let numbers = (1...threshold + 1).map(UInt8.init)
            let scheme = try Scheme.senderFirst(threshold: threshold, shares: threshold + 1)
            let splitter = call("gfshare_ctx_init_enc", BeginSplit.self)(
                numbers, UInt32(numbers.count), UInt8(threshold), UInt32(size))
            let combiner = call("gfshare_ctx_init_dec", BeginCombine.self)(
                numbers, UInt32(threshold), UInt32(size))
            var values = numbers.map { _ in [UInt8](repeating: 0, count: size) }
            var result = [UInt8](repeating: 0, count: size)
            var figures: [[Double]] = []
            for _ in 0..<5 {
                let (theirSplit, _) = seconds {
                    call("gfshare_ctx_enc_setsecret", SetSecret.self)(splitter, secret)
                    for index in numbers.indices {
                        call("gfshare_ctx_enc_getshare", GetShare.self)(
                            splitter, UInt8(index), &values[index])
                    }
                }
                for index in 0..<threshold {
                    call("gfshare_ctx_dec_giveshare", GiveShare.self)(combiner, UInt8(index), values[index])
                }
                let (theirs, _) = seconds { call("gfshare_ctx_dec_extract", Extract.self)(combiner, &result) }
                precondition(result == secret)
                let (ourSplit, shares) = try seconds { try scheme.split(secret) }
                let replies = shares.prefix(threshold).map {
                    Reply(server: "\($0.number)", number: $0.number, bytes: $0.bytes)
                }
                let (ours, combination) = seconds { Combination(replies, scheme: scheme) }
                precondition(combination.message == secret)
                figures.append([theirSplit, ourSplit, theirs, ours])
            }
            let line = (0..<4).map { column in
                String(format: "%8.2f", median(figures.map { $0[column] }) * 1e9 / Double(size))
            }
            print(String(format: "k %2d", threshold), line.joined(separator: ""))
        }
    }
}
