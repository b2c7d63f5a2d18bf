-- readers_writers.m: the readers-writers problem, with two kinds of processes
-- and hence the symmetry group S_N x S_N.
--
-- N readers and N writers share a memory. Readers are idle, trying or reading,
-- writers idle, trying or writing. Any number of readers may read at the same
-- time, but a writer must be alone: a reader begins to read when nobody is
-- writing, a writer begins to write when nobody is reading or writing.
--
-- From: Section 5 of C. Appold, "Efficient Symmetry Reduction and the Use of
-- State Symmetries for Symbolic Model Checking" (GandALF 2010); written for
-- Burnside.
--
-- Scale: N, the number of readers and also that of writers.
--   orbits = (N+1)^2 (N+2) / 2 + N (N+1)
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 312, orbits 52
-- burnside-states: N=1 unreduced 8, orbits 8
-- burnside-states: N=2 unreduced 52, orbits 24
-- burnside-states: N=4 unreduced 1808, orbits 95
-- burnside-states: N=5 unreduced 10336, orbits 156

const
  N: 3;

type
  Reader: scalarset(N);
  Writer: scalarset(N);
  ReaderState: enum { ReaderIdle, ReaderTrying, Reading };
  WriterState: enum { WriterIdle, WriterTrying, Writing };

var
  reader: array [Reader] of ReaderState;
  writer: array [Writer] of WriterState;

startstate "all idle"
begin
  for r: Reader do
    reader[r] := ReaderIdle;
  end;
  for w: Writer do
    writer[w] := WriterIdle;
  end;
end;

ruleset r: Reader do
  rule "reader tries"
    reader[r] = ReaderIdle
  ==>
  begin
    reader[r] := ReaderTrying;
  end;

  rule "reader begins"
    reader[r] = ReaderTrying
    & forall w: Writer do writer[w] != Writing end
  ==>
  begin
    reader[r] := Reading;
  end;

  rule "reader ends"
    reader[r] = Reading
  ==>
  begin
    reader[r] := ReaderIdle;
  end;
end;

ruleset w: Writer do
  rule "writer tries"
    writer[w] = WriterIdle
  ==>
  begin
    writer[w] := WriterTrying;
  end;

  rule "writer begins"
    writer[w] = WriterTrying
    & forall r: Reader do reader[r] != Reading end
    & forall v: Writer do writer[v] != Writing end
  ==>
  begin
    writer[w] := Writing;
  end;

  rule "writer ends"
    writer[w] = Writing
  ==>
  begin
    writer[w] := WriterIdle;
  end;
end;

invariant "nobody reads while a writer writes"
  forall r: Reader do
    forall w: Writer do
      !(reader[r] = Reading & writer[w] = Writing)
    end
  end;

invariant "at most one writer writes"
  forall v: Writer do
    forall w: Writer do
      v != w -> !(writer[v] = Writing & writer[w] = Writing)
    end
  end;
