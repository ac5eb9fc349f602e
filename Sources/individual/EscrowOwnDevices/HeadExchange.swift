import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowTrust

/// Each device cosigns the heads of the others' ledgers, and only those that continue what it cosigned before. So a ledger that
/// was put back to an earlier state is found by its own device, which the others show what it had signed, and by the others.
struct HeadExchange {
    let home: Home
    let seconds: UInt64

    func run(_ objects: [SharedObject], _ memory: inout DeviceMemory) throws(Diagnostic) -> [ExchangeStep] {
        let reader = try home.ledgerReader()
        let key = try home.hostKey().publicKey
        let head = try reader.head()
        guard let witness = Witness(name: "escrow-device/" + head.ledger, seed: memory.seed) else {
            throw Diagnostic(.ownFault, "the key that cosigns cannot be used")
        }
        var steps = try own(head, reader, key, objects)
        for object in objects where object.kind == .head && object.id != head.ledger {
            steps += other(object, witness, objects, &memory)
        }
        return steps
    }

    // MARK: This device's own ledger

    private func own(
        _ head: LedgerHead, _ reader: LedgerReader, _ key: PublicKey, _ objects: [SharedObject]
    ) throws(Diagnostic) -> [ExchangeStep] {
        let verifier = HostVerifier(key: key)
        // Only this host could have signed them, so whoever brings one again can lie about nothing but its age.
        let cosigned = objects.filter { $0.kind == .cosignature && $0.id.hasPrefix(head.ledger + ".") }
            .compactMap { object in
                (object.value["note"]?.string).flatMap { LedgerHead(text: $0, host: verifier) }
            }.filter { $0.ledger == head.ledger }
        var proofs: [(name: String, value: JSONValue)] = []
        for seen in cosigned {
            if seen.size > head.size {
                return [
                    .alarm(
                        "this device's ledger was put back: it has \(head.size) entries, and another device of yours cosigned \(seen.size) of them, the last of \(seen.time)"
                    )
                ]
            }
            if seen.size == head.size {
                guard seen.root == head.root else { return [Self.fork(seen)] }
                continue
            }
            // Where old entries were compacted there may be no proof: the others then stay at what they cosigned.
            guard let proof = try? reader.proveConsistency(from: seen.size) else { continue }
            if case .consistency(_, let root) = proof.claim, root != seen.root { return [Self.fork(seen)] }
            proofs.append(("\(seen.size)", .string(proof.text)))
        }
        let value: JSONValue = [
            "key": .string(key.base64), "head": .string(head.text),
            "proofs": .object(proofs.sorted { $0.name < $1.name }),
        ]
        let object = SharedObject(.head, head.ledger, value)
        return objects.contains(object) ? [] : [.update(object)]
    }

    private static func fork(_ seen: LedgerHead) -> ExchangeStep {
        .alarm(
            "this device's ledger is not the one that another device of yours cosigned: its first \(seen.size) entries are others"
        )
    }

    // MARK: The others'

    private func other(
        _ object: SharedObject, _ witness: Witness, _ objects: [SharedObject], _ memory: inout DeviceMemory
    ) -> [ExchangeStep] {
        let ledger = object.id
        let name = "the ledger \(ledger.prefix(8)) of another device of yours"
        guard let text = object.value["key"]?.string, let key = try? PublicKey(base64: text),
            let head = (object.value["head"]?.string).flatMap({
                LedgerHead(text: $0, host: HostVerifier(key: key))
            }), head.ledger == ledger
        else { return [.alarm("\(name) has no sound head")] }
        if let seen = memory.ledgers[ledger] {
            guard seen.key == text else { return [.alarm("\(name) is signed by another key than before")] }
            if head.size < seen.size {
                return [
                    .alarm("\(name) was put back: it has \(head.size) entries, and had \(seen.size) before")
                ]
            }
            if head.size == seen.size {
                guard head.root == seen.root else {
                    return [.alarm("\(name) is not the one that was cosigned before: its entries are others")]
                }
            } else {
                // Without a proof from what was cosigned here the other does not know of that yet: it is waited for.
                guard let proofText = object.value["proofs"]?["\(seen.size)"]?.string else { return [] }
                guard let proof = try? LedgerProof(text: proofText), holds(proof, HostVerifier(key: key)),
                    proof.head.root == head.root, proof.size == head.size,
                    proof.claim == .consistency(old: seen.size, oldRoot: seen.root)
                else {
                    return [
                        .alarm("\(name) does not continue the \(seen.size) entries that were cosigned here")
                    ]
                }
            }
        }
        memory.ledgers[ledger] = .init(key: text, size: head.size, root: head.root)
        let id = "\(ledger).\(witness.name.split(separator: "/").last ?? "")"
        let before = objects.first { $0.kind == .cosignature && $0.id == id }
        let isDone =
            (before?.value["note"]?.string).flatMap { LedgerHead(text: $0, host: HostVerifier(key: key)) }
            .map { $0.size == head.size && $0.cosignedAt(by: witness.name, key: witness.publicKey) != nil }
        guard isDone != true, let cosigned = witness.cosigned(head, at: seconds) else { return [] }
        return [
            .update(
                SharedObject(
                    .cosignature, id,
                    [
                        "witness": .string(witness.name), "key": .string(Base64.encode(witness.publicKey)),
                        "note": .string(cosigned.text),
                    ]))
        ]
    }

    private func holds(_ proof: LedgerProof, _ host: HostVerifier) -> Bool {
        // One of consistency is about no entry: nothing is returned where it holds.
        do { _ = try proof.verify(host) } catch { return false }
        return true
    }
}
