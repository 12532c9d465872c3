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
        let south = try ProgramTests.shell("meshrig los -33.8,151.2 -33.9,151.1")
        #expect(south.code == 0)
        for wrong in ["47,8 47.1,8 --heights 1e19,2", "47,8 47,8", "0,180 0,-180"] {
            #expect(try ProgramTests.shell("meshrig los \(wrong)").code == 2, "\(wrong)")
        }
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

    @Test func `explain lists packets, and says what file it wants`() throws {
        let outcome = try ProgramTests.shell(
            "f=$(mktemp); meshrig run client/direct-messages/flood-with-ack --jsonl $f >/dev/null && meshrig explain $f; "
                + "c=$?; rm -f $f; exit $c")
        #expect(outcome.code == 0)
        #expect(outcome.output.split(separator: "\n").count >= 3)
        #expect(outcome.output.contains("txt-msg"))
        let wrong = try ProgramTests.shell("meshrig explain Scenarios/worlds/sandbox.yaml 1")
        #expect(wrong.code == 2 && wrong.errors.contains("is no record of a run"))
    }

    @Test func `world tells radio, keys and links, and decode opens with them`() throws {
        let path = "Scenarios/client/direct-messages/flood-with-ack.yaml"
        let outcome = try ProgramTests.shell("meshrig world \(path)")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("radio   869.618 MHz, 62.5 kHz, SF 8, CR 4/5"))
        #expect(outcome.output.contains("bob    companion  9233ea2bb0739d25"))
        #expect(outcome.output.contains("alice  bob    9 dB  0 %"))
        #expect(!outcome.output.contains("private"))
        let geometry = try ProgramTests.shell("meshrig world Scenarios/examples/links/geometry.yaml")
        #expect(geometry.output.contains("alice  hill   1.75 dB"))
        let opened = try ProgramTests.shell(
            "f=$(mktemp); meshrig run client/direct-messages/flood-with-ack --jsonl $f >/dev/null; "
                + "meshrig decode packet $(grep -o '\"bytes\":\"[0-9a-f]*\"' $f | head -1 | cut -d'\"' -f4) --world \(path); rm -f $f"
        )
        #expect(opened.output.contains("opened     from alice to bob"))
        #expect(opened.output.contains("hello bob"))
        #expect(try ProgramTests.shell("meshrig decode packet 09").code == 2)
    }
}
