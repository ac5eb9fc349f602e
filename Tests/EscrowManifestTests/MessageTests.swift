import EscrowDiagnostics
import Testing

@Suite struct MessageTests {
    @Test func anUnknownMemberIsNamedWithTheNearestKnownOne() throws {
        #expect(
            Fixture.refusal(try Fixture.replacing("\"egress\":", "\"egres\":"))?.description == """
                error[E0102]: unknown member "egres" at the top level
                  --> plugin.json:30:3
                help: did you mean "egress"?   (unknown members are refused because a typo in a restriction would otherwise \
                switch it off)
                """)
    }

    @Test func aMemberThatStandsTwiceIsNamedWithBothLines() throws {
        #expect(
            Fixture.refusal(try Fixture.replacing("\"limits\":", "\"egress\": [], \"limits\":"))?.description
                == """
                error[E0107]: "egress" appears twice (lines 30 and 37)
                  --> plugin.json:37:3
                note: different JSON readers keep different ones; a reviewer could see other permissions than the host
                """)
    }

    @Test func aWordThatIsNotInTheListIsShownTheList() throws {
        #expect(
            Fixture.refusal(try Fixture.replacing("\"profile\": \"strict\"", "\"profile\": \"stric\""))?
                .description == """
                    error[E0110]: "sandbox.profile" is none of the words that are allowed here
                      --> plugin.json:38:27
                    help: did you mean "strict"? allowed: strict, runtime, native
                    """)
    }
}
