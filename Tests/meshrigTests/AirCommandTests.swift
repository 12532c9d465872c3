import Testing

/// The commands that look at the air.
@Suite(.serialized) struct AirCommandTests {
    @Test func `los says what a path costs and what it does not know of it`() throws {
        let outcome = try ProgramTests.shell("meshrig los 47,8 47.054,8 --frequency 910 --heights 100,100")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("path        clear, 6.00 km"))
        #expect(outcome.output.contains("free space 107.20, edge 0.00"))
        #expect(outcome.output.contains("unknown at 401 of 401 places"))
        #expect(try ProgramTests.shell("meshrig los 47,8").code == 2)
        #expect(try ProgramTests.shell("meshrig los 47,8 95,8").code == 2)
    }

    @Test func `decode opens a channel's text and repeats no key`() throws {
        let wrong = try ProgramTests.shell("meshrig decode packet 0d00aabbccdd --key bob=abcd")
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("bob") && !wrong.errors.contains("abcd"))
        #expect(try ProgramTests.shell("meshrig decode packet 0d00aabbccdd --channel team").code == 2)
    }

    @Test func `explain tells the life of a packet of a run`() throws {
        let outcome = try ProgramTests.shell(
            "f=$(mktemp); meshrig run client/direct-messages/flood-with-ack --jsonl $f >/dev/null && meshrig explain $f 1; "
                + "c=$?; rm -f $f; exit $c")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("packet 1: txt-msg by flood from alice"))
        #expect(outcome.output.contains("which answers with packet"))
        #expect(try ProgramTests.shell("meshrig explain /nowhere 1").code == 2)
    }
}
