import EscrowAttestation
import EscrowTPM
import SoftwareTPM
import Testing

/// Evidence of a TPM: what proves what is required, and what is refused, by which name.
@Suite(.enabled(if: SoftwareTPM.isHere, "swtpm is not installed")) struct AttestationTests {
    private static let program: [UInt8] = Array("the server's program".utf8)
    private static let policy: [UInt8] = Array("org.example.* key".utf8)
    private static let now: Int64 = 1_790_000_000

    /// A machine with a server that is as it was looked at.
    private struct Machine {
        let software: SoftwareTPM
        let tpm: TPM
        let attester: Attester
        let required: Requirement

        init(_ program: [UInt8] = AttestationTests.program, _ policy: [UInt8] = AttestationTests.policy)
            throws
        {
            software = try SoftwareTPM()
            tpm = try TPM(software.words)
            attester = try Attester(tpm, program: program, policy: policy)
            required = try attester.requirement(expires: AttestationTests.now + 10)
        }
    }

    private static func challenge(
        _ nonce: UInt8 = 1, server: String = "aa", device: String = "bb", manifest: String = "cc"
    ) -> Challenge {
        Challenge(
            nonce: [UInt8](repeating: nonce, count: Challenge.nonceBytes), server: server, device: device,
            manifest: manifest)
    }

    private static func refusal(
        _ required: Requirement, _ evidence: [UInt8], _ challenge: Challenge = challenge(),
        now: Int64 = now
    ) -> AttestationRefusal? {
        do throws(AttestationRefusal) {
            try TPMQuoteVerifier(required).verify(evidence, challenge, now: now)
            return nil
        } catch { return error }
    }

    @Test func whatIsAsItWasLookedAtProvesIt() throws {
        let machine = try Machine()
        #expect(Self.refusal(machine.required, try machine.attester.evidence(Self.challenge())) == nil)
        // Once more, after the server alone was started again.
        let again = try Attester(machine.tpm, program: Self.program, policy: Self.policy)
        #expect(
            Self.refusal(machine.required, try again.evidence(Self.challenge(2)), Self.challenge(2)) == nil)
        // And after the machine was: the key is the same.
        try machine.software.reset()
        let anew = try Attester(try TPM(machine.software.words), program: Self.program, policy: Self.policy)
        #expect(Self.refusal(machine.required, try anew.evidence(Self.challenge())) == nil)
    }

    @Test func anOldAnswerPlayedBackIsRefused() throws {
        let machine = try Machine()
        let old = try machine.attester.evidence(Self.challenge(1))
        #expect(Self.refusal(machine.required, old, Self.challenge(2)) == .wrongNonce)
    }

    @Test(arguments: [
        ("a man in the middle", "dd", "bb", "cc"), ("another device", "aa", "dd", "cc"),
        ("another plugin", "aa", "bb", "dd"),
    ])
    func whatWasMadeForAnotherConnectionIsRefused(
        who: String, server: String, device: String, manifest: String
    ) throws {
        let machine = try Machine()
        let evidence = try machine.attester.evidence(
            Self.challenge(server: server, device: device, manifest: manifest))
        #expect(Self.refusal(machine.required, evidence) == .wrongChannel, "\(who)")
    }

    @Test func anotherBootStateIsRefused() throws {
        let machine = try Machine()
        try machine.tpm.extend(7, by: [UInt8](repeating: 7, count: 32))
        let evidence = try machine.attester.evidence(Self.challenge())
        #expect(Self.refusal(machine.required, evidence) == .wrongRegister)
        // With the value that was looked at written beside the quote, the quote itself says otherwise.
        var lie = try #require(Evidence(evidence))
        lie.registers = machine.required.registers
        #expect(Self.refusal(machine.required, lie.encoded) == .wrongMeasurements)
    }

    @Test func aRegisterThatWasSetBackIsRefused() throws {
        let machine = try Machine()
        // The machine started anew, and nothing was measured: the old measurements are shown all the same.
        try machine.software.reset()
        let tpm = try TPM(machine.software.words)
        let quote = try tpm.quote(
            Array(machine.required.registers.keys) + [machine.required.pcr], Self.challenge().qualifying)
        let lie = Evidence(
            statement: quote.statement, signature: quote.signature, registers: machine.required.registers,
            measurements: [
                .init(pcr: 14, name: "server", digest: machine.required.server),
                .init(pcr: 14, name: "policy", digest: machine.required.policy),
            ])
        #expect(Self.refusal(machine.required, lie.encoded) == .wrongMeasurements)
        // Whoever requires a register that anybody can set back requires nothing.
        for pcr in 16...23 {
            var weak = machine.required
            weak.pcr = pcr
            #expect(Self.refusal(weak, try machine.attester.evidence(Self.challenge())) == .resettable)
        }
    }

    @Test func anotherProgramOrPolicyIsRefused() throws {
        let machine = try Machine()
        let others: [(program: [UInt8], policy: [UInt8], AttestationRefusal)] = [
            ([1], Self.policy, .wrongServer), (Self.program, [1], .wrongPolicy), ([1], [1], .wrongServer),
        ]
        for other in others {
            try machine.software.reset()
            let attester = try Attester(
                try TPM(machine.software.words), program: other.program, policy: other.policy)
            #expect(Self.refusal(machine.required, try attester.evidence(Self.challenge())) == other.2)
        }
    }

    @Test func whatIsMeasuredBesidesIsRefused() throws {
        let machine = try Machine()
        try machine.tpm.extend(14, by: [UInt8](repeating: 9, count: 32))
        let evidence = try machine.attester.evidence(Self.challenge())
        #expect(Self.refusal(machine.required, evidence) == .wrongMeasurements)
        var told = try #require(Evidence(evidence))
        told.measurements.append(
            .init(pcr: 14, name: "more", digest: [UInt8](repeating: 9, count: 32)))
        #expect(Self.refusal(machine.required, told.encoded) == .wrongPolicy)
        // A server that finds it does not start.
        #expect(throws: (any Error).self) {
            try Attester(machine.tpm, program: Self.program, policy: Self.policy)
        }
    }

    @Test func anotherMachineIsRefused() throws {
        let machine = try Machine()
        let other = try Machine()
        #expect(machine.required.key != other.required.key)
        let evidence = try other.attester.evidence(Self.challenge())
        #expect(Self.refusal(machine.required, evidence) == .wrongKey)
    }

    @Test func whatIsTooOldOrMissingIsRefused() throws {
        let machine = try Machine()
        let evidence = try machine.attester.evidence(Self.challenge())
        #expect(Self.refusal(machine.required, evidence, now: Self.now + 11) == .expired)
        #expect(Self.refusal(machine.required, []) == .missing)
    }

    /// By such a requirement root of any system on the machine proves whatever it likes: it extends the register itself.
    @Test func whatLeavesTheBootOpenProvesNothing() throws {
        let machine = try Machine()
        let quote = try machine.tpm.quote([14], Self.challenge().qualifying)
        var shown = try #require(Evidence(try machine.attester.evidence(Self.challenge())))
        (shown.statement, shown.signature, shown.registers) = (quote.statement, quote.signature, [:])
        var weak = machine.required
        weak.registers = [:]
        #expect(Self.refusal(weak, shown.encoded) == .bootLeftOpen)
        for pcr in Requirement.bootRegisters {
            weak.registers = machine.required.registers
            weak.registers[pcr] = nil
            #expect(weak.weakness(now: Self.now) == .bootLeftOpen)
        }
    }

    @Test func whatHoldsForEverIsRefused() throws {
        var endless = try Machine().required
        endless.expires = 1 << 62
        #expect(endless.weakness(now: Self.now) == .endless)
        endless.expires = Self.now + Int64(Requirement.mostDays) * 86_400
        #expect(endless.weakness(now: Self.now) == nil)
    }

    @Test func aQuoteOverOtherRegistersIsRefused() throws {
        let machine = try Machine()
        var evidence = try #require(Evidence(try machine.attester.evidence(Self.challenge())))
        let quote = try machine.tpm.quote([14], Self.challenge().qualifying)
        (evidence.statement, evidence.signature) = (quote.statement, quote.signature)
        #expect(Self.refusal(machine.required, evidence.encoded) == .notAQuote)
    }

    /// Whatever bit is changed, whatever is cut off: nothing passes.
    @Test func noChangedEvidencePasses() throws {
        let machine = try Machine()
        let evidence = try machine.attester.evidence(Self.challenge())
        try #require(Self.refusal(machine.required, evidence) == nil)
        let names = try #require(Evidence(evidence)).measurements.map(\.name)
        var passed = 0
        for bit in 0..<evidence.count * 8 {
            var changed = evidence
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard Self.refusal(machine.required, changed) == nil else { continue }
            // What a measurement is called is for people, and decides nothing.
            let read = try #require(Evidence(changed))
            #expect(read.measurements.map(\.name) != names, "bit \(bit)")
            passed += 1
        }
        #expect(passed <= names.joined().utf8.count * 8)
        for count in 0..<evidence.count {
            #expect(Self.refusal(machine.required, Array(evidence.prefix(count))) != nil)
        }
    }

    @Test func aRequirementIsNamedByWhatItRequires() throws {
        let machine = try Machine()
        var later = machine.required
        later.expires += 1_000_000
        #expect(later.name == machine.required.name)
        var others = [machine.required, machine.required, machine.required, machine.required]
        others[0].server[0] ^= 1
        others[1].policy[0] ^= 1
        others[2].registers[0]?[0] ^= 1
        others[3].key[0] ^= 1
        #expect(Set((others + [machine.required]).map(\.name)).count == 5)
    }
}
