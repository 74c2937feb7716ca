<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name>BlockNames</name>
    <message>
        <source>transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>rekurrent</translation>
    </message>
    <message>
        <source>upsampling</source>
        <translation>Hochskalierung</translation>
    </message>
    <message>
        <source>squeeze and excite</source>
        <translation>Squeeze-and-Excite</translation>
    </message>
    <message>
        <source>residual convolution</source>
        <translation>Residual-Faltung</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>shape arithmetic</source>
        <translation>Formarithmetik</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>Feed-Forward</translation>
    </message>
</context>
<context>
    <name>CardContents</name>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>copy %1</source>
        <translation>Kopie %1</translation>
    </message>
</context>
<context>
    <name>CardPainter</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Group of %n nodes</source>
        <translation>
            <numerusform>Gruppe aus %n Knoten</numerusform>
            <numerusform>Gruppe aus %n Knoten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportJob</name>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The export failed; nothing was changed.</source>
        <translation>Der Export ist gescheitert; nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Write elsewhere …</source>
        <translation>Anderswohin schreiben …</translation>
    </message>
</context>
<context>
    <name>FindQuery</name>
    <message>
        <source>name of the node</source>
        <translation>Name des Knotens</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>operator domain</source>
        <translation>Domäne des Operators</translation>
    </message>
    <message>
        <source>provider that runs it</source>
        <translation>Provider, der ihn ausführt</translation>
    </message>
    <message>
        <source>cause or reason of the first provider</source>
        <translation>Grund oder Begründung des ersten Providers</translation>
    </message>
    <message>
        <source>pass that changed it</source>
        <translation>Pass, der ihn geändert hat</translation>
    </message>
    <message>
        <source>compiled group</source>
        <translation>kompilierte Gruppe</translation>
    </message>
    <message>
        <source>element type of an input or output</source>
        <translation>Elementtyp einer Ein- oder Ausgabe</translation>
    </message>
    <message>
        <source>shape of an input or output; * is any dimension, ... any number of them</source>
        <translation>Form einer Ein- oder Ausgabe; * ist eine beliebige Dimension, ... beliebig viele</translation>
    </message>
    <message>
        <source>attribute, and its value</source>
        <translation>Attribut und sein Wert</translation>
    </message>
    <message>
        <source>name of a value that it reads</source>
        <translation>Name eines Werts, den er liest</translation>
    </message>
    <message>
        <source>name of a value that it makes</source>
        <translation>Name eines Werts, den er erzeugt</translation>
    </message>
    <message>
        <source>name of a value that it reads or makes</source>
        <translation>Name eines Werts, den er liest oder erzeugt</translation>
    </message>
    <message>
        <source>name scope that it is in</source>
        <translation>Namensbereich, in dem er liegt</translation>
    </message>
    <message>
        <source>title of the graph or body</source>
        <translation>Titel des Graphen oder Rumpfs</translation>
    </message>
    <message>
        <source>step in the execution order</source>
        <translation>Schritt in der Reihenfolge</translation>
    </message>
    <message>
        <source>measured time of a run</source>
        <translation>gemessene Zeit eines Laufs</translation>
    </message>
    <message>
        <source>bytes of its outputs</source>
        <translation>Bytes seiner Ausgaben</translation>
    </message>
    <message>
        <source>floating point operations</source>
        <translation>Gleitkommaoperationen</translation>
    </message>
    <message>
        <source>elements of float initializers that it reads</source>
        <translation>Elemente der Float-Initializer, die er liest</translation>
    </message>
    <message>
        <source>bytes of initializers that it reads</source>
        <translation>Bytes der Initializer, die er liest</translation>
    </message>
    <message>
        <source>bytes of activations that it reads and writes</source>
        <translation>Bytes der Aktivierungen, die er liest und schreibt</translation>
    </message>
    <message>
        <source>relative error of the accuracy comparison</source>
        <translation>relativer Fehler des Genauigkeitsvergleichs</translation>
    </message>
    <message>
        <source>how many values it reads</source>
        <translation>wie viele Werte er liest</translation>
    </message>
    <message>
        <source>how many values it makes</source>
        <translation>wie viele Werte er erzeugt</translation>
    </message>
    <message>
        <source>both words, in any order</source>
        <translation>beide Wörter, in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>this phrase</source>
        <translation>diese Wortfolge</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>not this</source>
        <translation>dies nicht</translation>
    </message>
    <message>
        <source>one of the two</source>
        <translation>eins von beiden</translation>
    </message>
    <message>
        <source>* stands for anything</source>
        <translation>* steht für Beliebiges</translation>
    </message>
    <message>
        <source>OrtValueIndex of a value that it reads or makes</source>
        <translation>OrtValueIndex eines Werts, den er liest oder erzeugt</translation>
    </message>
</context>
<context>
    <name>Grouping</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Flat</source>
        <translation>Flach</translation>
    </message>
    <message>
        <source>Name scopes</source>
        <translation>Namensbereiche</translation>
    </message>
    <message>
        <source>Repeated blocks</source>
        <translation>Wiederholte Blöcke</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>%1: compiled group %2</source>
        <translation>%1: kompilierte Gruppe %2</translation>
    </message>
    <message>
        <source>%1: run %2</source>
        <translation>%1: Lauf %2</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>Schichten %1</translation>
    </message>
    <message>
        <source>layer %1%2</source>
        <translation>Schicht %1%2</translation>
    </message>
</context>
<context>
    <name>Headline</name>
    <message>
        <source>%1 node</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1 input</source>
        <translation>%1 Eingabe</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 Eingaben</translation>
    </message>
    <message>
        <source>%1 output</source>
        <translation>%1 Ausgabe</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 Ausgaben</translation>
    </message>
    <message>
        <source>%1 -&gt; %2 nodes</source>
        <translation>%1 -&gt; %2 Knoten</translation>
    </message>
    <message>
        <source>%1 provider</source>
        <translation>%1 Provider</translation>
    </message>
    <message>
        <source>%1 providers</source>
        <translation>%1 Provider</translation>
    </message>
    <message>
        <source>%1 group</source>
        <translation>%1 Gruppe</translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation>%1 Gruppen</translation>
    </message>
    <message>
        <source>%1 unassigned</source>
        <translation>%1 ohne Provider</translation>
    </message>
    <message>
        <source>%1 step</source>
        <translation>%1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>path %1</source>
        <translation>Pfad %1</translation>
    </message>
    <message>
        <source>%1 new</source>
        <translation>%1 neu</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>%1 wiederverwendet</translation>
    </message>
    <message>
        <source>arena %1</source>
        <translation>Arena %1</translation>
    </message>
    <message>
        <source>not planned</source>
        <translation>nicht geplant</translation>
    </message>
    <message>
        <source>unknown (dynamic shapes)</source>
        <translation>unbekannt (dynamische Formen)</translation>
    </message>
    <message>
        <source>&gt;= %1</source>
        <translation>&gt;= %1</translation>
    </message>
    <message>
        <source>dynamic shapes</source>
        <translation>dynamische Formen</translation>
    </message>
    <message>
        <source>at bound</source>
        <translation>an der Schranke</translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation>Schranke %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>nothing written</source>
        <translation>nichts geschrieben</translation>
    </message>
    <message>
        <source>written: %1</source>
        <translation>geschrieben: %1</translation>
    </message>
    <message>
        <source>%1 context node</source>
        <translation>%1 Kontextknoten</translation>
    </message>
    <message>
        <source>%1 context nodes</source>
        <translation>%1 Kontextknoten</translation>
    </message>
    <message>
        <source>nothing to keep</source>
        <translation>nichts zu behalten</translation>
    </message>
    <message>
        <source>%1 group can be kept</source>
        <translation>%1 Gruppe kann behalten werden</translation>
    </message>
    <message>
        <source>%1 groups can be kept</source>
        <translation>%1 Gruppen können behalten werden</translation>
    </message>
</context>
<context>
    <name>OperatorFamily</name>
    <message>
        <source>Convolution &amp; products</source>
        <translation>Faltung &amp; Produkte</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Normalisation &amp; pooling</source>
        <translation>Normalisierung &amp; Pooling</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>Shape &amp; movement</source>
        <translation>Form &amp; Umordnung</translation>
    </message>
    <message>
        <source>Control flow &amp; functions</source>
        <translation>Ablauf &amp; Funktionen</translation>
    </message>
    <message>
        <source>Types &amp; quantisation</source>
        <translation>Typen &amp; Quantisierung</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>Nodes inside a context node are compiled into one step: they have no figures of their own.</source>
        <translation>Knoten in einem Kontextknoten sind zu einem Schritt kompiliert: Eigene Zahlen haben sie nicht.</translation>
    </message>
    <message>
        <source>kept compiled</source>
        <translation>kompiliert behalten</translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation>Platzhalter</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>wiederhergestellt</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>läuft hier nicht</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Schlicht</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>folded to a constant</source>
        <translation>zu einer Konstante gefaltet</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>Change by optimisation</source>
        <translation>Änderung durch Optimieren</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>Bewegte Bytes</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Optimisation pass</source>
        <translation>Optimierungspass</translation>
    </message>
    <message>
        <source>Cause of refusal</source>
        <translation>Grund der Ablehnung</translation>
    </message>
    <message>
        <source>Style rules</source>
        <translation>Stilregeln</translation>
    </message>
    <message>
        <source>Weights or activations</source>
        <translation>Gewichte oder Aktivierungen</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>Übersetzt</translation>
    </message>
    <message>
        <source>makes an output</source>
        <translation>erzeugt eine Ausgabe</translation>
    </message>
    <message>
        <source>reads an input</source>
        <translation>liest eine Eingabe</translation>
    </message>
    <message>
        <source>reads a default that callers may override</source>
        <translation>liest eine Vorgabe, die Aufrufer ersetzen dürfen</translation>
    </message>
    <message>
        <source>dangling: nobody reads what it makes</source>
        <translation>lose: niemand liest, was er erzeugt</translation>
    </message>
    <message>
        <source>captured by a body</source>
        <translation>von einem Rumpf gelesen</translation>
    </message>
    <message>
        <source>reads a value from around its body</source>
        <translation>liest einen Wert von außerhalb des Rumpfs</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>Eingaben und Ausgaben</translation>
    </message>
    <message>
        <source>reads a constant</source>
        <translation>liest eine Konstante</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Story</source>
        <translation>Geschichte</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>Modell bearbeiten</translation>
    </message>
    <message>
        <source>Model properties</source>
        <translation>Modelleigenschaften</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>ONNX Runtime</source>
        <translation>ONNX Runtime</translation>
    </message>
    <message>
        <source>Cure</source>
        <translation>Abhilfe</translation>
    </message>
    <message>
        <source>Adviser</source>
        <translation>Ratgeber</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>Support matrix</source>
        <translation>Unterstützungsmatrix</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Style rules</source>
        <translation>Stilregeln</translation>
    </message>
    <message>
        <source>Derived lists</source>
        <translation>Hergeleitete Listen</translation>
    </message>
    <message>
        <source>Program log</source>
        <translation>Protokoll des Programms</translation>
    </message>
    <message>
        <source>Weight sharing</source>
        <translation>Gemeinsame Gewichte</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>dataflow, %1</source>
        <translation>Datenfluss, %1</translation>
    </message>
    <message>
        <source>sequential, %1</source>
        <translation>nacheinander, %1</translation>
    </message>
    <message>
        <source>uses the %1 order</source>
        <translation>die Reihenfolge „%1“ verwendet</translation>
    </message>
    <message>
        <source>plans by onnxruntime&apos;s rules</source>
        <translation>nach den Regeln von onnxruntime plant</translation>
    </message>
    <message>
        <source>reuses free buffers</source>
        <translation>freie Puffer wiederverwendet</translation>
    </message>
    <message>
        <source>reuses no free buffer</source>
        <translation>keine freien Puffer wiederverwendet</translation>
    </message>
    <message>
        <source>writes in place</source>
        <translation>in place schreibt</translation>
    </message>
    <message>
        <source>writes nothing in place</source>
        <translation>nichts in place schreibt</translation>
    </message>
    <message>
        <source>plans a memory pattern</source>
        <translation>ein Speichermuster plant</translation>
    </message>
    <message>
        <source>plans no memory pattern</source>
        <translation>kein Speichermuster plant</translation>
    </message>
    <message>
        <source>runs on %1 workers</source>
        <translation>mit %1 Arbeitern läuft</translation>
    </message>
    <message>
        <source>runs independent nodes at once</source>
        <translation>unabhängige Knoten gleichzeitig ausführt</translation>
    </message>
    <message>
        <source>runs one node after the other</source>
        <translation>einen Knoten nach dem anderen ausführt</translation>
    </message>
    <message>
        <source>has %1 = %2</source>
        <translation>%1 = %2 hat</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>everything in %1</source>
        <translation>alles in %1</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Size over the open dimensions; equal formulas mean equal sizes</source>
        <translation>Größe über den offenen Dimensionen; gleiche Formeln heißen gleiche Größen</translation>
    </message>
    <message>
        <source>Buffer of</source>
        <translation>Puffer von</translation>
    </message>
    <message>
        <source>The value that owns the memory</source>
        <translation>Der Wert, dem der Speicher gehört</translation>
    </message>
    <message>
        <source>Shared by</source>
        <translation>Geteilt von</translation>
    </message>
    <message>
        <source>Values that live in this buffer, one after the other or over one another</source>
        <translation>Werte, die in diesem Puffer leben, nacheinander oder übereinander</translation>
    </message>
    <message>
        <source>Live in steps</source>
        <translation>Lebt in Schritten</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Closest candidate</source>
        <translation>Nächster Kandidat</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Sum of their sizes; a + stands for values of unknown size</source>
        <translation>Summe ihrer Größen; ein + steht für Werte unbekannter Größe</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Provided by the caller.</source>
        <translation>Vom Aufrufer gegeben.</translation>
    </message>
    <message>
        <source>It belongs to the graph around this one.</source>
        <translation>Er gehört zum Graphen um diesen herum.</translation>
    </message>
    <message>
        <source>A constant, kept as long as the session.</source>
        <translation>Eine Konstante, so lange gehalten wie die Sitzung.</translation>
    </message>
    <message>
        <source>The kernel allocates it.</source>
        <translation>Der Kernel reserviert ihn.</translation>
    </message>
    <message>
        <source>A graph output: its memory goes to the caller, or comes from there.</source>
        <translation>Eine Ausgabe des Graphen: Ihr Speicher geht an den Aufrufer oder kommt von dort.</translation>
    </message>
    <message>
        <source>The same object as the loop&apos;s own input.</source>
        <translation>Dasselbe Objekt wie die eigene Eingabe der Schleife.</translation>
    </message>
    <message>
        <source>Another shape of the same bytes: no data moves.</source>
        <translation>Eine andere Form derselben Bytes: Keine Daten bewegen sich.</translation>
    </message>
    <message>
        <source>Written over an input that is not needed afterwards.</source>
        <translation>Über eine Eingabe geschrieben, die danach nicht mehr gebraucht wird.</translation>
    </message>
    <message>
        <source>Written into its place inside a later Concat&apos;s output: that Concat copies nothing.</source>
        <translation>An seinen Platz in der Ausgabe eines späteren Concat geschrieben: Dieses Concat kopiert nichts.</translation>
    </message>
    <message>
        <source>A part of its input, in place: Split copies nothing.</source>
        <translation>Ein Teil seiner Eingabe an Ort und Stelle: Split kopiert nichts.</translation>
    </message>
    <message>
        <source>Written straight into the graph output that is a view of it.</source>
        <translation>Direkt in die Ausgabe des Graphen geschrieben, die eine Sicht darauf ist.</translation>
    </message>
    <message>
        <source>Reuses a free buffer of the same size.</source>
        <translation>Verwendet einen freien Puffer gleicher Größe wieder.</translation>
    </message>
    <message>
        <source>Reuses a larger free buffer.</source>
        <translation>Verwendet einen größeren freien Puffer wieder.</translation>
    </message>
    <message>
        <source>No free buffer fits: it gets its own.</source>
        <translation>Kein freier Puffer passt: Er bekommt einen eigenen.</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation>Schritte %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Select a value or a node to see the buffer it lives in.</source>
        <translation>Wähle einen Wert oder Knoten, um seinen Puffer zu sehen.</translation>
    </message>
    <message>
        <source>It takes no room among the activations.</source>
        <translation>Er nimmt keinen Platz unter den Aktivierungen ein.</translation>
    </message>
    <message>
        <source>closest</source>
        <translation>am nächsten</translation>
    </message>
    <message>
        <source>%1 values in %2 buffers</source>
        <translation>%1 Werte in %2 Puffern</translation>
    </message>
    <message>
        <source>No value of this graph has a buffer of its own.</source>
        <translation>Kein Wert dieses Graphen hat einen eigenen Puffer.</translation>
    </message>
    <message>
        <source> (%1 bytes)</source>
        <translation> (%1 Bytes)</translation>
    </message>
    <message>
        <source>%1 · %2 · on %3</source>
        <translation>%1 · %2 · auf %3</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>gebraucht</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>ab Schritt %1</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>nach Schritt %1</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>buffer of</source>
        <translation>Puffer von</translation>
    </message>
    <message>
        <source>, from byte %1 on</source>
        <translation>, ab Byte %1</translation>
    </message>
    <message>
        <source>reused from</source>
        <translation>wiederverwendet von</translation>
    </message>
    <message>
        <source>live in steps</source>
        <translation>lebt in Schritten</translation>
    </message>
    <message>
        <source>last used by</source>
        <translation>zuletzt benutzt von</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>in this buffer</source>
        <translation>in diesem Puffer</translation>
    </message>
    <message>
        <source>, better</source>
        <translation>, besser</translation>
    </message>
    <message>
        <source>, worse</source>
        <translation>, schlechter</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation> (simuliert)</translation>
    </message>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source>runs at step</source>
        <translation>läuft in Schritt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>took</source>
        <translation>dauerte</translation>
    </message>
    <message>
        <source>Through the stages</source>
        <translation>Durch die Stufen</translation>
    </message>
    <message>
        <source>nothing of it</source>
        <translation>nichts davon</translation>
    </message>
    <message>
        <source>Answers of the providers</source>
        <translation>Antworten der Provider</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>darin</translation>
    </message>
    <message>
        <source>%1 original nodes</source>
        <translation>%1 ursprüngliche Knoten</translation>
    </message>
    <message>
        <source>compiled into</source>
        <translation>kompiliert in</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>läuft auf</translation>
    </message>
    <message>
        <source>%1, as part of it</source>
        <translation>%1, als Teil davon</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>body</source>
        <translation>Rumpf</translation>
    </message>
    <message>
        <source>function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>, in place</source>
        <translation>, in place</translation>
    </message>
    <message>
        <source>lives</source>
        <translation>lebt</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>because</source>
        <translation>weil</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>%1, %2 long</source>
        <translation>%1, %2 lang</translation>
    </message>
    <message>
        <source>is</source>
        <translation>ist</translation>
    </message>
    <message>
        <source>, also output</source>
        <translation>, auch Ausgabe</translation>
    </message>
    <message>
        <source>stored in</source>
        <translation>gespeichert in</translation>
    </message>
    <message>
        <source>first values</source>
        <translation>erste Werte</translation>
    </message>
    <message>
        <source>read by</source>
        <translation>gelesen von</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>work unknown: its shapes are open</source>
        <translation>Arbeit unbekannt: Die Formen sind offen</translation>
    </message>
    <message>
        <source>moves %1</source>
        <translation>bewegt %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>No provider claimed it.</source>
        <translation>Kein Provider hat ihn beansprucht.</translation>
    </message>
    <message>
        <source>Runs on &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>Läuft auf &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>a subgraph of %1</source>
        <translation>ein Teilgraph aus %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source> in </source>
        <translation> in </translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Supported</source>
        <translation>Unterstützt</translation>
    </message>
    <message>
        <source>No provider was asked about it.</source>
        <translation>Kein Provider wurde dazu gefragt.</translation>
    </message>
    <message>
        <source>%1 · weights %2</source>
        <translation>%1 · Gewichte %2</translation>
    </message>
    <message>
        <source>Choose one to see why:</source>
        <translation>Wähle einen, um den Grund zu sehen:</translation>
    </message>
    <message>
        <source>not usable: %1</source>
        <translation>nicht benutzbar: %1</translation>
    </message>
    <message>
        <source>%1 of %2 nodes, %3</source>
        <translation>%1 von %2 Knoten, %3</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 von %2, %3</translation>
    </message>
    <message>
        <source>GetCapability took %1, Compile %2</source>
        <translation>GetCapability dauerte %1, Compile %2</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>
Describes hardware that is not here: its nodes run on the CPU kernels.</source>
        <translation>
Beschreibt Hardware, die nicht hier ist: Ihre Knoten laufen auf den CPU-Kerneln.</translation>
    </message>
    <message>
        <source>
Not usable: %1</source>
        <translation>
Nicht benutzbar: %1</translation>
    </message>
    <message>
        <source>
weights %1</source>
        <translation>
Gewichte %1</translation>
    </message>
    <message>
        <source>Nodes per provider</source>
        <translation>Knoten je Provider</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>nicht gefragt</translation>
    </message>
    <message>
        <source>not assigned</source>
        <translation>nicht zugewiesen</translation>
    </message>
    <message>
        <source>Simulated hardware is not here: measured times are those of the CPU kernels in its place.</source>
        <translation>Simulierte Hardware ist nicht hier: Gemessene Zeiten sind die der CPU-Kernel an ihrer Stelle.</translation>
    </message>
    <message>
        <source>Where estimates come from, and notes</source>
        <translation>Woher Schätzungen kommen, und Hinweise</translation>
    </message>
    <message>
        <source>Partition boundaries</source>
        <translation>Partitionsgrenzen</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>of them compiled</source>
        <translation>davon kompiliert</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>casts</source>
        <translation>Umwandlungen</translation>
    </message>
    <message>
        <source>bytes copied</source>
        <translation>kopierte Bytes</translation>
    </message>
    <message>
        <source>copies of unknown size</source>
        <translation>Kopien unbekannter Größe</translation>
    </message>
    <message>
        <source>Memory and time</source>
        <translation>Speicher und Zeit</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>geplante Spitze</translation>
    </message>
    <message>
        <source>estimated time</source>
        <translation>geschätzte Zeit</translation>
    </message>
    <message>
        <source>of it copying</source>
        <translation>davon Kopieren</translation>
    </message>
    <message>
        <source>measured time</source>
        <translation>gemessene Zeit</translation>
    </message>
    <message>
        <source>No node moves</source>
        <translation>Kein Knoten wandert</translation>
    </message>
    <message>
        <source>1 node moves</source>
        <translation>1 Knoten wandert</translation>
    </message>
    <message>
        <source>%1 nodes move</source>
        <translation>%1 Knoten wandern</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>fewer</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>%1 as fast</source>
        <translation>%1 so schnell</translation>
    </message>
    <message>
        <source>%1 %2 times as %3</source>
        <translation>%1 %2-mal so %3</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>langsam</translation>
    </message>
    <message>
        <source>no provider</source>
        <translation>kein Provider</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>From → to</source>
        <translation>Von → nach</translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation>Erzwungen von</translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation>Vermieden durch</translation>
    </message>
    <message>
        <source>− removed</source>
        <translation>− entfernt</translation>
    </message>
    <message>
        <source>+ added</source>
        <translation>+ hinzugefügt</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>%1 of unknown size</source>
        <translation>%1 unbekannter Größe</translation>
    </message>
    <message>
        <source>✓ claimed</source>
        <translation>✓ übernommen</translation>
    </message>
    <message>
        <source>– already claimed</source>
        <translation>– schon beansprucht</translation>
    </message>
    <message>
        <source>✕ refused</source>
        <translation>✕ abgelehnt</translation>
    </message>
    <message>
        <source>✕ group rejected</source>
        <translation>✕ Gruppe verworfen</translation>
    </message>
    <message>
        <source>✕ compile failed</source>
        <translation>✕ Kompilieren gescheitert</translation>
    </message>
    <message>
        <source>↩ given back</source>
        <translation>↩ zurückgegeben</translation>
    </message>
    <message>
        <source>%1 at offset %2</source>
        <translation>%1 bei Offset %2</translation>
    </message>
    <message>
        <source>, needs %1</source>
        <translation>, braucht %1</translation>
    </message>
    <message>
        <source> · live %1</source>
        <translation> · lebend %1</translation>
    </message>
    <message>
        <source>, measured %1</source>
        <translation>, gemessen %1</translation>
    </message>
    <message>
        <source>workspace of %1</source>
        <translation>Arbeitsbereich von %1</translation>
    </message>
    <message>
        <source>Nothing could be planned: no value of this graph has a size that is known before running. Bind the open dimensions to see its memory.</source>
        <translation>Nichts konnte geplant werden: Kein Wert dieses Graphen hat vor dem Lauf eine bekannte Größe. Binde die offenen Dimensionen, um seinen Speicher zu sehen.</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation>untere Schranke %1</translation>
    </message>
    <message>
        <source>live</source>
        <translation>lebend</translation>
    </message>
    <message>
        <source>live, planned</source>
        <translation>lebend, geplant</translation>
    </message>
    <message>
        <source>bodies</source>
        <translation>Rümpfe</translation>
    </message>
    <message>
        <source>%1 blocks over %2 steps, peak %3 at step %4, lower bound %5</source>
        <translation>%1 Blöcke über %2 Schritte, Spitze %3 in Schritt %4, untere Schranke %5</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of all bytes alive at the peak step</source>
        <translation>An allen Bytes, die im Schritt der Spitze leben</translation>
    </message>
    <message>
        <source>Would save</source>
        <translation>Würde sparen</translation>
    </message>
    <message>
        <source>By how much the lower bound would fall if this value needed no memory</source>
        <translation>Um wie viel die untere Schranke fiele, wenn dieser Wert keinen Speicher brauchte</translation>
    </message>
    <message>
        <source>Kept alive by</source>
        <translation>Gehalten von</translation>
    </message>
    <message>
        <source>The node of its last use</source>
        <translation>Der Knoten seiner letzten Benutzung</translation>
    </message>
    <message>
        <source>Until step</source>
        <translation>Bis Schritt</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Above the bound</source>
        <translation>Über der Schranke</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>Rounded up to the alignment</source>
        <translation>Auf die Ausrichtung gerundet</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>Gebraucht</translation>
    </message>
    <message>
        <source>From step</source>
        <translation>Ab Schritt</translation>
    </message>
    <message>
        <source>To step</source>
        <translation>Bis Schritt</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>Intervalle</translation>
    </message>
    <message>
        <source>More than one: between them, other values use the memory</source>
        <translation>Mehr als eins: Dazwischen nutzen andere Werte den Speicher</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>What if: %1 on %2. Compare shows what it changes.</source>
        <translation>Was wäre wenn: %1 auf %2. Vergleichen zeigt, was es ändert.</translation>
    </message>
    <message>
        <source>Pin this %1 to</source>
        <translation>%1 anheften an</translation>
    </message>
    <message>
        <source>Pin all %1 to</source>
        <translation>Alle %1 anheften an</translation>
    </message>
    <message>
        <source>Pin everything in %1 to</source>
        <translation>Alles in %1 anheften an</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>planned in</source>
        <translation>geplant in</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritischer Pfad</translation>
    </message>
    <message>
        <source>Memory of activations</source>
        <translation>Speicher der Aktivierungen</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>untere Schranke</translation>
    </message>
    <message>
        <source>without sharing</source>
        <translation>ohne Teilen</translation>
    </message>
    <message>
        <source>values of unknown size</source>
        <translation>Werte unbekannter Größe</translation>
    </message>
    <message>
        <source>of them in place</source>
        <translation>davon in place</translation>
    </message>
    <message>
        <source>parts of others</source>
        <translation>Teile anderer</translation>
    </message>
    <message>
        <source>Beside the activations</source>
        <translation>Neben den Aktivierungen</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Sizes are open: bind the dimensions to compare peaks</source>
        <translation>Größen sind offen: Binde die Dimensionen, um Spitzen zu vergleichen</translation>
    </message>
    <message>
        <source>The same peak</source>
        <translation>Dieselbe Spitze</translation>
    </message>
    <message>
        <source> (%1 %)</source>
        <translation> (%1 %)</translation>
    </message>
    <message>
        <source>Peak %1 %2%3</source>
        <translation>Spitze %1 %2%3</translation>
    </message>
    <message>
        <source>smaller</source>
        <translation>kleiner</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>größer</translation>
    </message>
    <message>
        <source>no value differs</source>
        <translation>kein Wert unterscheidet sich</translation>
    </message>
    <message>
        <source>1 value differs</source>
        <translation>1 Wert unterscheidet sich</translation>
    </message>
    <message>
        <source>%1 values differ</source>
        <translation>%1 Werte unterscheiden sich</translation>
    </message>
    <message>
        <source>1 node at another step</source>
        <translation>1 Knoten in einem anderen Schritt</translation>
    </message>
    <message>
        <source>%1 nodes at another step</source>
        <translation>%1 Knoten in einem anderen Schritt</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Sizes are open: there are no live bytes to draw. Bind the dimensions in the draft.</source>
        <translation>Größen sind offen: Es gibt keine lebenden Bytes zu zeichnen. Binde die Dimensionen im Entwurf.</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>was wäre wenn</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>life</source>
        <translation>Leben</translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation>Unterscheidet sich in</translation>
    </message>
    <message>
        <source>Now → what if</source>
        <translation>Jetzt → was wäre wenn</translation>
    </message>
    <message>
        <source>Why, what if</source>
        <translation>Warum, was wäre wenn</translation>
    </message>
    <message>
        <source>Why, now</source>
        <translation>Warum, jetzt</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>Above it</source>
        <translation>Darüber</translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation>Ohne Teilen</translation>
    </message>
    <message>
        <source>Size unknown</source>
        <translation>Größe unbekannt</translation>
    </message>
    <message>
        <source>Values whose size no dimension decides</source>
        <translation>Werte, deren Größe keine Dimension entscheidet</translation>
    </message>
    <message>
        <source>Main thread</source>
        <translation>Hauptthread</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>Thread %1</translation>
    </message>
    <message>
        <source>Not in this model</source>
        <translation>Nicht in diesem Modell</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Depth first from the outputs back: producers stand just before their consumers.</source>
        <translation>Tiefe zuerst, von den Ausgaben zurück: Erzeuger stehen direkt vor ihren Verbrauchern.</translation>
    </message>
    <message>
        <source>Ready nodes by priority: shapes first, then by index.</source>
        <translation>Bereite Knoten nach Vorrang: Formen zuerst, dann nach Index.</translation>
    </message>
    <message>
        <source>Ready nodes in the order in which they became ready.</source>
        <translation>Bereite Knoten in der Reihenfolge, in der sie bereit wurden.</translation>
    </message>
    <message>
        <source>Ready nodes that free most and allocate least, improved by local search; never above the default order&apos;s peak.</source>
        <translation>Bereite Knoten, die am meisten freigeben und am wenigsten belegen, verbessert durch lokale Suche; nie über der Spitze der Standardreihenfolge.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>How much later it may end before the whole takes longer; nothing: it is on the critical path</source>
        <translation>Wie viel später er enden darf, ehe das Ganze länger dauert; nichts: Er liegt auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>Live bytes</source>
        <translation>Lebende Bytes</translation>
    </message>
    <message>
        <source>Activations alive while it runs</source>
        <translation>Aktivierungen, die leben, während er läuft</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Arbeiter</translation>
    </message>
    <message>
        <source>May run until</source>
        <translation>Darf laufen bis</translation>
    </message>
    <message>
        <source>The last step that may start before this one has ended</source>
        <translation>Der letzte Schritt, der beginnen darf, ehe dieser geendet hat</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Of the path</source>
        <translation>Am Pfad</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Launched; held back by a barrier or a wait; followed by a notification</source>
        <translation>Gestartet; von einer Schranke oder einem Warten aufgehalten; von einer Meldung gefolgt</translation>
    </message>
    <message>
        <source>Notification</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>Kosten %1</translation>
    </message>
    <message>
        <source>on the critical path: no slack</source>
        <translation>auf dem kritischen Pfad: kein Spielraum</translation>
    </message>
    <message>
        <source>slack %1</source>
        <translation>Spielraum %1</translation>
    </message>
    <message>
        <source>may still run when step %1 starts</source>
        <translation>darf noch laufen, wenn Schritt %1 beginnt</translation>
    </message>
    <message>
        <source>live bytes %1</source>
        <translation>lebende Bytes %1</translation>
    </message>
    <message>
        <source>step %1 · %2 · %3</source>
        <translation>Schritt %1 · %2 · %3</translation>
    </message>
    <message>
        <source> · critical</source>
        <translation> · kritisch</translation>
    </message>
    <message>
        <source> · slack %1</source>
        <translation> · Spielraum %1</translation>
    </message>
    <message>
        <source>There are no steps.</source>
        <translation>Es gibt keine Schritte.</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Arbeiter %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>Stream %1</translation>
    </message>
    <message>
        <source>has slack</source>
        <translation>hat Spielraum</translation>
    </message>
    <message>
        <source>time, if every node takes its cost</source>
        <translation>Zeit, wenn jeder Knoten seine Kosten braucht</translation>
    </message>
    <message>
        <source>%1 steps on %2 lanes, critical path of %3 nodes</source>
        <translation>%1 Schritte auf %2 Bahnen, kritischer Pfad aus %3 Knoten</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>For inspection only: this model cannot run here.</source>
        <translation>Nur zum Ansehen: Dieses Modell kann hier nicht laufen.</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Cancelled. What was finished before is shown; F5 starts again.</source>
        <translation>Abgebrochen. Was vorher fertig war, ist zu sehen; F5 beginnt von vorn.</translation>
    </message>
    <message>
        <source>All stages: %1</source>
        <translation>Alle Stufen: %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>an %1</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>alles davon</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>%1, %2 of the graph</source>
        <translation>%1, %2 des Graphen</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>bewegt</translation>
    </message>
    <message>
        <source>%1, %2 parameters</source>
        <translation>%1, %2 Parameter</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>look at them</source>
        <translation>ansehen</translation>
    </message>
    <message>
        <source>Nothing is left to plan: compiled groups keep what passes inside them to themselves, and outputs are handed to the caller.</source>
        <translation>Es bleibt nichts zu planen: Kompilierte Gruppen behalten für sich, was in ihnen weitergereicht wird, und Ausgaben gehen an den Aufrufer.</translation>
    </message>
    <message>
        <source>No value of this graph has a buffer on %1.</source>
        <translation>Kein Wert dieses Graphen hat einen Puffer auf %1.</translation>
    </message>
    <message>
        <source>plans by the rules of onnxruntime for training</source>
        <translation>nach den Regeln von onnxruntime fürs Training plant</translation>
    </message>
    <message>
        <source>plans by Cutaway&apos;s rules</source>
        <translation>nach Cutaways Regeln plant</translation>
    </message>
    <message>
        <source>Depth first from the last output back, the latest producer first: onnxruntime&apos;s default.</source>
        <translation>Tiefensuche von der letzten Ausgabe zurück, der späteste Erzeuger zuerst: die Vorgabe von onnxruntime.</translation>
    </message>
    <message>
        <source>Estimated work, no FLOP count: the larger of a node&apos;s FLOP and 8 × the bytes it moves</source>
        <translation>Geschätzte Arbeit, keine FLOP-Zahl: das Größere aus den FLOP eines Knotens und 8 × den bewegten Bytes</translation>
    </message>
    <message>
        <source>not compared: simulated hardware</source>
        <translation>nicht verglichen: simulierte Hardware</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>measured times are within noise</source>
        <translation>die gemessenen Zeiten liegen im Rauschen</translation>
    </message>
    <message>
        <source>Nothing is left to plan: what this graph makes is written into its outputs or its inputs.</source>
        <translation>Es bleibt nichts zu planen: Was dieser Graph erzeugt, steht in seinen Ausgaben oder seinen Eingaben.</translation>
    </message>
    <message>
        <source>Time as measured</source>
        <translation>Gemessene Zeit</translation>
    </message>
    <message>
        <source>Sizes are open: every node counts the same</source>
        <translation>Größen sind offen: Jeder Knoten zählt gleich viel</translation>
    </message>
    <message>
        <source>estimated work: max(FLOP, 8 × bytes)</source>
        <translation>geschätzte Arbeit: max(FLOP, 8 × Bytes)</translation>
    </message>
    <message>
        <source>documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>doc string</source>
        <translation>Doc-String</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>OrtValueIndex: the number under which onnxruntime keeps this value</source>
        <translation>OrtValueIndex: die Nummer, unter der onnxruntime diesen Wert führt</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>Erzeugt</translation>
    </message>
    <message>
        <source>Uses of buffers</source>
        <translation>Verwendungen der Puffer</translation>
    </message>
    <message>
        <source>Before, with the outputs placed, and after: readers, definitions and places among the outputs of all that lives in the buffer; one more for what is never recycled. At 0 it is free</source>
        <translation>Vorher, mit den Ausgaben und danach: Leser, Definitionen und Plätze unter den Ausgaben von allem, was im Puffer liegt; eins mehr für das, was nie wiederverwendet wird. Bei 0 ist er frei</translation>
    </message>
    <message>
        <source>Free behind it</source>
        <translation>Danach frei</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>Beside %1</source>
        <translation>Neben %1</translation>
    </message>
    <message>
        <source>It has no result on both sides.</source>
        <translation>Nicht auf beiden Seiten liegt ein Ergebnis vor.</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>It was: %1</source>
        <translation>Es war: %1</translation>
    </message>
    <message>
        <source>Nothing differs by more than the gate&apos;s shares and beyond noise.</source>
        <translation>Nichts weicht um mehr als die Anteile des Gates und über das Rauschen hinaus ab.</translation>
    </message>
    <message>
        <source>%1, groups: %2</source>
        <translation>%1, Gruppen: %2</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>%1, version by version</source>
        <translation>%1, Version für Version</translation>
    </message>
    <message>
        <source>The plan has no job here.</source>
        <translation>Der Plan hat hier keinen Job.</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>Geplanter Speicher</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Nodes on the last provider</source>
        <translation>Knoten auf dem letzten Provider</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>worse: %1</source>
        <translation>schlechter: %1</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Colours say how jobs ended; words say the same.</source>
        <translation>Farben sagen, wie Jobs endeten; die Wörter sagen dasselbe.</translation>
    </message>
    <message>
        <source>Darker: more nodes on the last provider, which takes what is left.</source>
        <translation>Dunkler: mehr Knoten auf dem letzten Provider, der nimmt, was übrig bleibt.</translation>
    </message>
    <message>
        <source>Darker: more than the least of the row; darkest: eight times that.</source>
        <translation>Dunkler: mehr als das Kleinste der Zeile; am dunkelsten: das Achtfache.</translation>
    </message>
    <message>
        <source>Darker: a larger error of an output, by orders of magnitude.</source>
        <translation>Dunkler: ein größerer Fehler einer Ausgabe, nach Größenordnungen.</translation>
    </message>
    <message>
        <source>Exact figures are compared as they are, measured ones beyond noise and on machines of one class.</source>
        <translation>Exakte Zahlen werden verglichen, wie sie sind, gemessene über das Rauschen hinaus und auf Rechnern einer Klasse.</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>ok</translation>
    </message>
    <message>
        <source>check failed</source>
        <translation>Prüfung fehlgeschlagen</translation>
    </message>
    <message>
        <source>bad model</source>
        <translation>ungültiges Modell</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>Zeit überschritten</translation>
    </message>
    <message>
        <source>unreadable report</source>
        <translation>unlesbarer Bericht</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>%1, %2 of constants packed</source>
        <translation>%1, %2 Konstanten umgepackt</translation>
    </message>
    <message>
        <source>refused before it</source>
        <translation>lehnte vorher ab</translation>
    </message>
    <message>
        <source>its row has %1 too, but not for what this node is</source>
        <translation>seine Zeile hat auch %1, aber nicht für einen Knoten wie diesen</translation>
    </message>
    <message>
        <source>kernels are being made …</source>
        <translation>Kernel werden erzeugt …</translation>
    </message>
    <message>
        <source>which one, and what refused before it?</source>
        <translation>Welcher, und was lehnte vorher ab?</translation>
    </message>
    <message>
        <source>As the last profiled run showed it</source>
        <translation>Wie der letzte vermessene Lauf sie zeigte</translation>
    </message>
    <message>
        <source>In the buffer of</source>
        <translation>Im Puffer von</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Before the run</source>
        <translation>Vor dem Lauf</translation>
    </message>
    <message>
        <source>Of its buffer in the block</source>
        <translation>Seines Puffers im Block</translation>
    </message>
    <message>
        <source>Made at step</source>
        <translation>Entsteht bei Schritt</translation>
    </message>
    <message>
        <source>Free behind step</source>
        <translation>Frei nach Schritt</translation>
    </message>
    <message>
        <source>The step of its last reader</source>
        <translation>Der Schritt des letzten Lesers</translation>
    </message>
    <message>
        <source>unknown (dynamic shapes)</source>
        <translation>unbekannt (dynamische Formen)</translation>
    </message>
    <message>
        <source>not compared: dynamic shapes</source>
        <translation>nicht verglichen: dynamische Formen</translation>
    </message>
    <message>
        <source>new buffers</source>
        <translation>neue Puffer</translation>
    </message>
    <message>
        <source>reused buffers</source>
        <translation>wiederverwendete Puffer</translation>
    </message>
    <message>
        <source>%1, sized values only</source>
        <translation>%1, nur Werte mit Größe</translation>
    </message>
    <message>
        <source>Compiled group</source>
        <translation>Kompilierte Gruppe</translation>
    </message>
    <message>
        <source>made of</source>
        <translation>besteht aus</translation>
    </message>
    <message>
        <source>%1, %2 together</source>
        <translation>%1, zusammen %2</translation>
    </message>
    <message>
        <source>values in</source>
        <translation>Werte hinein</translation>
    </message>
    <message>
        <source>values out</source>
        <translation>Werte heraus</translation>
    </message>
    <message>
        <source>%1 computes on this processor here, and its times say nothing of the hardware that it is for</source>
        <translation>%1 rechnet hier auf diesem Prozessor, und seine Zeiten sagen nichts über die Hardware, für die er gedacht ist</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>median %1 of %2 runs, calls between %3 and %4</source>
        <translation>Median %1 aus %2 Läufen, Aufrufe zwischen %3 und %4</translation>
    </message>
    <message>
        <source>, at %1</source>
        <translation>, bei %1</translation>
    </message>
    <message>
        <source>created by</source>
        <translation>angelegt von</translation>
    </message>
    <message>
        <source>producer: %1</source>
        <translation>Erzeuger: %1</translation>
    </message>
    <message>
        <source>%1 units of work</source>
        <translation>%1 Arbeitseinheiten</translation>
    </message>
    <message>
        <source>critical path, units of work</source>
        <translation>kritischer Pfad, Arbeitseinheiten</translation>
    </message>
    <message>
        <source>not compared: other units</source>
        <translation>nicht verglichen: andere Einheiten</translation>
    </message>
    <message>
        <source>nodes of the model</source>
        <translation>Knoten des Modells</translation>
    </message>
    <message>
        <source>%1 in multiples of %2</source>
        <translation>%1 in Vielfachen von %2</translation>
    </message>
    <message>
        <source>for</source>
        <translation>für</translation>
    </message>
    <message>
        <source>%1, %2 of what is known of the graph</source>
        <translation>%1, %2 dessen, was vom Graphen bekannt ist</translation>
    </message>
    <message>
        <source>; the operations of %1 nodes are not known before running</source>
        <translation>; die Operationen von %1 Knoten sind vor dem Lauf nicht bekannt</translation>
    </message>
    <message>
        <source>the largest of %1</source>
        <translation>das größte von %1</translation>
    </message>
    <message>
        <source>%1 dims</source>
        <translation>%1 Dim.</translation>
    </message>
    <message>
        <source>No place is planned: buffers come from an arena when their nodes ask for them.</source>
        <translation>Kein Platz ist geplant: Puffer kommen aus einer Arena, wenn ihre Knoten sie anfordern.</translation>
    </message>
    <message>
        <source>the arena holds %1, simulated</source>
        <translation>die Arena hält %1, simuliert</translation>
    </message>
    <message>
        <source>most bytes alive %1</source>
        <translation>höchstens lebende Bytes %1</translation>
    </message>
    <message>
        <source>bytes alive over %1 steps, at most %2 at step %3; the arena would hold %4, simulated</source>
        <translation>lebende Bytes über %1 Schritte, höchstens %2 in Schritt %3; die Arena würde %4 halten, simuliert</translation>
    </message>
</context>
<context>
    <name>RowTable</name>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Durch Kommas getrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
</context>
<context>
    <name>SceneFigures</name>
    <message>
        <source>%1 weights</source>
        <translation>%1 Gewichte</translation>
    </message>
</context>
<context>
    <name>SceneTips</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts that are alike</source>
        <translation>
            <numerusform>%n gleicher Teil</numerusform>
            <numerusform>%n gleiche Teile</numerusform>
        </translation>
    </message>
    <message>
        <source>Double-click unfolds</source>
        <translation>Doppelklick klappt auf</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>out</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>runs on %1</source>
        <translation>läuft auf %1</translation>
    </message>
    <message>
        <source>The sign at the left folds it</source>
        <translation>Das Zeichen links klappt ein</translation>
    </message>
    <message>
        <source>Double-click enters it, the sign at the right unfolds it in place</source>
        <translation>Doppelklick geht hinein, das Zeichen rechts klappt an Ort und Stelle auf</translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>an %1</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>mit %1</translation>
    </message>
    <message numerus="yes">
        <source>as its provider was asked; %n nodes of the model</source>
        <translation>
            <numerusform>wie der Provider gefragt wurde; %n Knoten des Modells</numerusform>
            <numerusform>wie der Provider gefragt wurde; %n Knoten des Modells</numerusform>
        </translation>
    </message>
    <message>
        <source>inside, by its library: %1</source>
        <translation>darin, nach der Bibliothek: %1</translation>
    </message>
    <message>
        <source>Double-click opens it</source>
        <translation>Doppelklick öffnet sie</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Inputs &amp; outputs</source>
        <translation>Ein- &amp; Ausgänge</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partitionieren</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>Zuordnung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Memory plan</source>
        <translation>Speicherplan</translation>
    </message>
    <message>
        <source>EPContext</source>
        <translation>EPContext</translation>
    </message>
</context>
<context>
    <name>cutaway::ui</name>
    <message>
        <source>an unnamed compiler</source>
        <translation>einem ungenannten Compiler</translation>
    </message>
    <message>
        <source>main</source>
        <translation>Haupt</translation>
    </message>
    <message>
        <source>dependent</source>
        <translation>abhängig</translation>
    </message>
    <message>
        <source>with its main node</source>
        <translation>bei seinem Hauptknoten</translation>
    </message>
    <message>
        <source>in the node</source>
        <translation>im Knoten</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>wiederhergestellt</translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation>Platzhalter</translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation>nicht benutzbar</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>läuft hier nicht</translation>
    </message>
    <message>
        <source>Compiled by %1</source>
        <translation>Kompiliert von %1</translation>
    </message>
    <message>
        <source> for %1</source>
        <translation> für %1</translation>
    </message>
    <message>
        <source> with SDK %1</source>
        <translation> mit SDK %1</translation>
    </message>
    <message>
        <source>%1 restored it: nothing was compiled again.</source>
        <translation>%1 hat ihn wiederhergestellt: Nichts wurde neu kompiliert.</translation>
    </message>
    <message>
        <source>A placeholder for hardware that is not here: its nodes run on the kernels of %1.</source>
        <translation>Ein Platzhalter für Hardware, die nicht da ist: Seine Knoten laufen auf den Kerneln von %1.</translation>
    </message>
    <message>
        <source>It was not restored in this session.</source>
        <translation>Er wurde in dieser Sitzung nicht wiederhergestellt.</translation>
    </message>
    <message>
        <source>It cannot be used here: %1</source>
        <translation>Er kann hier nicht benutzt werden: %1</translation>
    </message>
    <message>
        <source>None of the providers of this session can run it (%1). </source>
        <translation>Kein Provider dieser Sitzung kann ihn ausführen (%1). </translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes, the %1 original nodes that the file describes, and everything around it can be seen.</source>
        <translation>Seine Ein- und Ausgaben, seine Attribute, die %1 ursprünglichen Knoten, die die Datei beschreibt, und alles um ihn herum sind zu sehen.</translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes and everything around it can be seen; what is inside is machine code that only its maker reads.</source>
        <translation>Seine Ein- und Ausgaben, seine Attribute und alles um ihn herum sind zu sehen; innen ist Maschinencode, den nur sein Erzeuger liest.</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>as a placeholder: %1</source>
        <translation>als Platzhalter: %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no: run by kernels, nothing was compiled</source>
        <translation>nein: läuft auf Kerneln, nichts wurde kompiliert</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no: %1</source>
        <translation>nein: %1</translation>
    </message>
    <message>
        <source>no provider</source>
        <translation>kein Provider</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Constants that are kept in the context</source>
        <translation>Konstanten, die im Kontext behalten werden</translation>
    </message>
    <message>
        <source>Fused node</source>
        <translation>Verschmolzener Knoten</translation>
    </message>
    <message>
        <source>As its context node will be called, without the prefix</source>
        <translation>Wie sein Kontextknoten heißen wird, ohne Präfix</translation>
    </message>
    <message>
        <source>Context node</source>
        <translation>Kontextknoten</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation>Kompiliert von</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Binary</source>
        <translation>Binärdatei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Nodes inside</source>
        <translation>Knoten darin</translation>
    </message>
    <message>
        <source>Groups are compiled, but none of them can be kept; the table says why.</source>
        <translation>Gruppen sind kompiliert, aber keine lässt sich behalten; die Tabelle sagt, warum.</translation>
    </message>
    <message>
        <source>A context model keeps what was compiled, so that loading it compiles nothing.</source>
        <translation>Ein Kontextmodell behält, was kompiliert wurde: Beim Laden wird nichts kompiliert.</translation>
    </message>
    <message>
        <source> Here only placeholders would be written: the hardware is described, not there.</source>
        <translation> Hier würden nur Platzhalter geschrieben: Die Hardware ist beschrieben, nicht vorhanden.</translation>
    </message>
    <message>
        <source> The one other node is written as it is.</source>
        <translation> Der eine andere Knoten wird geschrieben, wie er ist.</translation>
    </message>
    <message>
        <source> The other %1 nodes are written as they are.</source>
        <translation> Die anderen %1 Knoten werden geschrieben, wie sie sind.</translation>
    </message>
    <message>
        <source>This is a compiled model: parts of it were compiled by %1.</source>
        <translation>Dies ist ein kompiliertes Modell: Teile davon wurden von %1 kompiliert.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source> All of them were restored here.</source>
        <translation> Alle wurden hier wiederhergestellt.</translation>
    </message>
    <message>
        <source> It can be looked at, but not run here.</source>
        <translation> Man kann es ansehen, aber hier nicht ausführen.</translation>
    </message>
    <message>
        <source> None of them can be run here; the model can be looked at.</source>
        <translation> Keiner davon läuft hier; das Modell kann man ansehen.</translation>
    </message>
    <message>
        <source> %1 of %2 were restored here.</source>
        <translation> %1 von %2 wurden hier wiederhergestellt.</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>so schnell</translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation>%1 schneller</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>%1 langsamer</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>all together</source>
        <translation>alle zusammen</translation>
    </message>
    <message>
        <source>%1; the model&apos;s weights have %2</source>
        <translation>%1; die Gewichte des Modells haben %2</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>geteilt</translation>
    </message>
    <message>
        <source>%1 are kept once instead of several times</source>
        <translation>%1 werden einmal statt mehrmals gehalten</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>took</source>
        <translation>dauerte</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>%1 of %2 outputs</source>
        <translation>%1 von %2 Ausgaben</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>differ</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>differs by up to %1</source>
        <translation>unterscheidet sich um bis zu %1</translation>
    </message>
    <message>
        <source>Loaded again</source>
        <translation>Wieder geladen</translation>
    </message>
    <message>
        <source>Ready to run after</source>
        <translation>Bereit zum Lauf nach</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>Erster Lauf</translation>
    </message>
    <message>
        <source>compiled here</source>
        <translation>hier kompiliert</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>geladen</translation>
    </message>
    <message>
        <source>It does not load: %1</source>
        <translation>Es lädt nicht: %1</translation>
    </message>
    <message>
        <source>It loads, but: %1</source>
        <translation>Es lädt, aber: %1</translation>
    </message>
    <message>
        <source>; both are ready within 100 ms</source>
        <translation>; beide sind binnen 100 ms bereit</translation>
    </message>
    <message>
        <source>, ready to run %1</source>
        <translation>, laufbereit %1</translation>
    </message>
    <message>
        <source>It loads, but its outputs differ%1.</source>
        <translation>Es lädt, aber seine Ausgaben unterscheiden sich%1.</translation>
    </message>
    <message>
        <source>, not there</source>
        <translation>, nicht vorhanden</translation>
    </message>
    <message>
        <source>Compiled context</source>
        <translation>Kompilierter Kontext</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>not given: any provider may try</source>
        <translation>nicht angegeben: Jeder Provider darf es versuchen</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>main: it has the binary</source>
        <translation>Haupt: Er hat die Binärdatei</translation>
    </message>
    <message>
        <source>dependent: its part is in the binary of a main node</source>
        <translation>abhängig: Sein Teil steht in der Binärdatei eines Hauptknotens</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>Binärdatei</translation>
    </message>
    <message>
        <source>format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>its part</source>
        <translation>sein Teil</translation>
    </message>
    <message>
        <source>largest of its set</source>
        <translation>größte ihrer Menge</translation>
    </message>
    <message>
        <source>%1 were open already</source>
        <translation>%1 waren schon offen</translation>
    </message>
    <message>
        <source>SDK</source>
        <translation>SDK</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>original model</source>
        <translation>ursprüngliches Modell</translation>
    </message>
    <message>
        <source>original nodes</source>
        <translation>ursprüngliche Knoten</translation>
    </message>
    <message>
        <source>the file does not say</source>
        <translation>die Datei sagt es nicht</translation>
    </message>
    <message>
        <source>restored in</source>
        <translation>wiederhergestellt in</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation> (simuliert)</translation>
    </message>
    <message>
        <source>kernels, node by node</source>
        <translation>Kernel, Knoten für Knoten</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>%1 says</source>
        <translation>%1 sagt</translation>
    </message>
    <message>
        <source>Nodes it would get without this cause</source>
        <translation>Knoten, die er ohne diesen Grund bekäme</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of all nodes</source>
        <translation>Von allen Knoten</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Reason, of the first</source>
        <translation>Begründung, vom ersten</translation>
    </message>
    <message>
        <source>Supported</source>
        <translation>Unterstützt</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Values that enter, and their bytes</source>
        <translation>Werte, die hineingehen, und ihre Bytes</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Values that leave, and their bytes</source>
        <translation>Werte, die hinausgehen, und ihre Bytes</translation>
    </message>
    <message>
        <source>Becomes</source>
        <translation>Wird zu</translation>
    </message>
    <message>
        <source>First node</source>
        <translation>Erster Knoten</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>From → to</source>
        <translation>Von → nach</translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation>Erzwungen von</translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation>Vermieden durch</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>Umwandlung</translation>
    </message>
    <message>
        <source>casts</source>
        <translation>Umwandlungen</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>Darin</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>Selbst</translation>
    </message>
    <message>
        <source>Without the spans below it</source>
        <translation>Ohne die Abschnitte darunter</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>Beginnt bei</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Dauert</translation>
    </message>
    <message>
        <source>%1, %2 of all</source>
        <translation>%1, %2 von allem</translation>
    </message>
    <message>
        <source>Ready after %1.</source>
        <translation>Bereit nach %1.</translation>
    </message>
    <message>
        <source> “%1” takes %2</source>
        <translation> „%1“ dauert %2</translation>
    </message>
    <message>
        <source>, most of it “%1” with %2</source>
        <translation>, das meiste davon „%1“ mit %2</translation>
    </message>
    <message>
        <source>, the longest in it “%1” with %2</source>
        <translation>, am längsten darin „%1“ mit %2</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichslauf</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Faster, slower</source>
        <translation>Schneller, langsamer</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation>nur im Vergleichslauf</translation>
    </message>
    <message>
        <source>only now</source>
        <translation>nur jetzt</translation>
    </message>
    <message>
        <source>p &lt; 0.001</source>
        <translation>p &lt; 0,001</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>%1 faster than the baseline, significant</source>
        <translation>%1 schneller als der Vergleichslauf, signifikant</translation>
    </message>
    <message>
        <source>%1 slower than the baseline, significant</source>
        <translation>%1 langsamer als der Vergleichslauf, signifikant</translation>
    </message>
    <message>
        <source>No difference beyond noise</source>
        <translation>Kein Unterschied über dem Rauschen</translation>
    </message>
    <message>
        <source>%1 now, %2 before (%3), %4</source>
        <translation>%1 jetzt, %2 vorher (%3), %4</translation>
    </message>
    <message>
        <source>; the difference is between %1 and %2 with 95 % confidence</source>
        <translation>; der Unterschied liegt mit 95 % Sicherheit zwischen %1 und %2</translation>
    </message>
    <message>
        <source>Caller</source>
        <translation>Aufrufer</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>Arbeiter %1</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Am schnellsten</translation>
    </message>
    <message>
        <source>slowest %1</source>
        <translation>längster %1</translation>
    </message>
    <message>
        <source>%1 × median</source>
        <translation>%1 × Median</translation>
    </message>
    <message>
        <source>Engine, a node</source>
        <translation>Engine, je Knoten</translation>
    </message>
    <message>
        <source>outside kernels</source>
        <translation>außerhalb der Kernel</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>Read from %1: %2%3</source>
        <translation>Gelesen aus %1: %2%3</translation>
    </message>
    <message>
        <source> after 1 warm-up</source>
        <translation> nach 1 Aufwärmlauf</translation>
    </message>
    <message>
        <source> after %1 warm-ups</source>
        <translation> nach %1 Aufwärmläufen</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>dataflow with %1 workers</source>
        <translation>Datenfluss mit %1 Arbeitern</translation>
    </message>
    <message>
        <source>dataflow, 1 worker</source>
        <translation>Datenfluss, 1 Arbeiter</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>nacheinander</translation>
    </message>
    <message>
        <source>, “%1”</source>
        <translation>, „%1“</translation>
    </message>
    <message>
        <source>%1%2 on %3, %4%5</source>
        <translation>%1%2 auf %3, %4%5</translation>
    </message>
    <message>
        <source>As the model has them; in memory now: %1</source>
        <translation>Wie das Modell sie hat; jetzt im Speicher: %1</translation>
    </message>
    <message>
        <source>As the model has them</source>
        <translation>Wie das Modell sie hat</translation>
    </message>
    <message>
        <source>Packed</source>
        <translation>Gepackt</translation>
    </message>
    <message>
        <source>In the layouts that kernels want; shared with other sessions: %1</source>
        <translation>In den Anordnungen, die Kernel wollen; mit anderen Sitzungen geteilt: %1</translation>
    </message>
    <message>
        <source>Weights in the layouts that kernels want</source>
        <translation>Gewichte in den Anordnungen, die Kernel wollen</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Blocks of the memory pattern</source>
        <translation>Blöcke des Speichermusters</translation>
    </message>
    <message>
        <source>Arena</source>
        <translation>Arena</translation>
    </message>
    <message>
        <source>Values whose size was not known before the run. %1 requests, grew %2 times, %3 in use at most</source>
        <translation>Werte, deren Größe vor dem Lauf nicht bekannt war. %1 Anfragen, %2-mal gewachsen, höchstens %3 in Gebrauch</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>Scratch of kernels</source>
        <translation>Zwischenspeicher der Kernel</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>Stream %1</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Arbeiter %1</translation>
    </message>
    <message>
        <source>on the critical path</source>
        <translation>auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>not on the critical path</source>
        <translation>nicht auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>in the buffer of %1</source>
        <translation>im Puffer von %1</translation>
    </message>
    <message>
        <source>lives in steps %1</source>
        <translation>lebt in Schritten %1</translation>
    </message>
    <message>
        <source>Offset %1 of the planned block</source>
        <translation>Offset %1 des geplanten Blocks</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Part of the peak (%1 at step %2)</source>
        <translation>Teil der Spitze (%1 in Schritt %2)</translation>
    </message>
    <message>
        <source>on the caller&apos;s thread</source>
        <translation>auf dem Thread des Aufrufers</translation>
    </message>
    <message>
        <source>on worker %1</source>
        <translation>auf Arbeiter %1</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>%1 at %2 GFLOP/s</source>
        <translation>%1 bei %2 GFLOP/s</translation>
    </message>
    <message>
        <source>Inside context node %1</source>
        <translation>In Kontextknoten %1</translation>
    </message>
    <message>
        <source>no provider here can restore it</source>
        <translation>kein Provider hier kann ihn wiederherstellen</translation>
    </message>
    <message>
        <source>restored by %1</source>
        <translation>wiederhergestellt von %1</translation>
    </message>
    <message>
        <source>Can be kept compiled</source>
        <translation>Kann kompiliert behalten werden</translation>
    </message>
    <message>
        <source>Stays as it is in an export</source>
        <translation>Bleibt in einem Export, wie er ist</translation>
    </message>
    <message>
        <source>as context node %1, %2 nodes</source>
        <translation>als Kontextknoten %1, %2 Knoten</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>What can be searched for</source>
        <translation>Wonach gesucht werden kann</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>Everything upstream</source>
        <translation>Alles stromaufwärts</translation>
    </message>
    <message>
        <source>Everything downstream</source>
        <translation>Alles stromabwärts</translation>
    </message>
    <message>
        <source>Shortest path between two nodes</source>
        <translation>Kürzester Pfad zwischen zwei Knoten</translation>
    </message>
    <message>
        <source>All paths between two nodes</source>
        <translation>Alle Pfade zwischen zwei Knoten</translation>
    </message>
    <message>
        <source>Choose a node first.</source>
        <translation>Wähle zuerst einen Knoten.</translation>
    </message>
    <message>
        <source>Choose two nodes with Ctrl+click; there must be a path from one to the other.</source>
        <translation>Wähle zwei Knoten mit Strg+Klick; von einem zum anderen muss es einen Pfad geben.</translation>
    </message>
    <message>
        <source>%1: %2 nodes</source>
        <translation>%1: %2 Knoten</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>Hervorheben</translation>
    </message>
    <message>
        <source>Select what is highlighted</source>
        <translation>Hervorgehobenes wählen</translation>
    </message>
    <message>
        <source>End highlighting</source>
        <translation>Hervorhebung beenden</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>measured live</source>
        <translation>gemessen lebend</translation>
    </message>
    <message>
        <source>planned live</source>
        <translation>geplant lebend</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>, %1 of the bus</source>
        <translation>, %1 des Busses</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Memory of %1 was not recorded.</source>
        <translation>Speicher von %1 wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>replayed as one</source>
        <translation>als Ganzes wiederholt</translation>
    </message>
    <message>
        <source>will be replayed from the third run on</source>
        <translation>wird ab dem dritten Lauf wiederholt</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>allen Geräten</translation>
    </message>
    <message>
        <source>Memory was not recorded.</source>
        <translation>Speicher wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Planned peak</source>
        <translation>Geplante Spitze</translation>
    </message>
    <message>
        <source>Of values, without weights and workspace</source>
        <translation>Von Werten, ohne Gewichte und Arbeitsspeicher der Kernel</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>Measured peak</source>
        <translation>Gemessene Spitze</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Gehalten</translation>
    </message>
    <message>
        <source>By this session&apos;s runs: blocks and arenas</source>
        <translation>Von den Läufen dieser Sitzung: Blöcke und Arenen</translation>
    </message>
    <message>
        <source>Most scratch of kernels</source>
        <translation>Größter Arbeitsspeicher der Kernel</translation>
    </message>
    <message>
        <source>Uploaded once per session</source>
        <translation>Einmal je Sitzung übertragen</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Vorrat</translation>
    </message>
    <message>
        <source>What the device&apos;s allocator holds, all sessions of this process</source>
        <translation>Was die Speicherverwaltung des Geräts hält, alle Sitzungen dieses Prozesses</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Of the bus</source>
        <translation>Vom Bus</translation>
    </message>
    <message>
        <source>Against what the bus can do in one direction</source>
        <translation>Gemessen an dem, was der Bus in einer Richtung leistet</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Replayed</source>
        <translation>Wiederholt</translation>
    </message>
    <message>
        <source>Runs in which the device replayed it as one</source>
        <translation>Läufe, in denen das Gerät es als Ganzes abgespielt hat</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Why a captured segment ends here</source>
        <translation>Warum ein aufgezeichneter Abschnitt hier endet</translation>
    </message>
    <message>
        <source>Blocks of the memory pattern. Patterns by feed shapes: %1 hits, %2 misses, %3 evictions</source>
        <translation>Blöcke des Speichermusters. Muster nach Eingabeformen: %1 Treffer, %2 Fehlgriffe, %3 Verdrängungen</translation>
    </message>
    <message>
        <source>Later runs, by the same groups</source>
        <translation>Spätere Läufe, mit denselben Gruppen</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>Übersetzt</translation>
    </message>
    <message>
        <source>%1 compiled, %2 unchanged</source>
        <translation>%1 übersetzt, %2 unverändert</translation>
    </message>
    <message>
        <source>bit-identical</source>
        <translation>bitgleich</translation>
    </message>
    <message>
        <source>reloads</source>
        <translation>lädt wieder</translation>
    </message>
    <message>
        <source>It reloads and is bit-identical%1.</source>
        <translation>Es lädt wieder und ist bitgleich%1.</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>Warm-up run</source>
        <translation>Aufwärmlauf</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>%1: these times say nothing about its hardware</source>
        <translation>%1: Diese Zeiten sagen nichts über die Hardware</translation>
    </message>
    <message>
        <source>Times of a simulator (%1). %2</source>
        <translation>Zeiten eines Simulators (%1). %2</translation>
    </message>
    <message>
        <source>nodes outside of compiled groups</source>
        <translation>Knoten außerhalb kompilierter Gruppen</translation>
    </message>
    <message>
        <source>Every node runs by kernel: nothing is compiled, so there is nothing to keep. Providers such as onednn or openvino compile groups of nodes: put one of them first among the providers.</source>
        <translation>Jeder Knoten läuft durch einen Kernel: Nichts wird kompiliert, also gibt es nichts zu behalten. Provider wie onednn oder openvino kompilieren Gruppen von Knoten: Stellen Sie einen davon an die erste Stelle der Provider.</translation>
    </message>
    <message>
        <source>%1, %2 of the time in nodes</source>
        <translation>%1, %2 der Zeit in Knoten</translation>
    </message>
    <message>
        <source>Binary, as %1 tells it</source>
        <translation>Binärdatei, nach %1</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyChoice</name>
    <message>
        <source>The session&apos;s own settings</source>
        <translation>Die eigenen Einstellungen der Sitzung</translation>
    </message>
    <message>
        <source>only cpu</source>
        <translation>nur cpu</translation>
    </message>
    <message>
        <source>The same model with the same optimisation, on the CPU kernels</source>
        <translation>Dasselbe Modell mit derselben Optimierung, auf den CPU-Kerneln</translation>
    </message>
    <message>
        <source>not optimised</source>
        <translation>nicht optimiert</translation>
    </message>
    <message>
        <source>The same providers with the model as the file has it (level 0)</source>
        <translation>Dieselben Provider mit dem Modell, wie die Datei es hat (Stufe 0)</translation>
    </message>
    <message>
        <source>only cpu, not optimised</source>
        <translation>nur cpu, nicht optimiert</translation>
    </message>
    <message>
        <source>Only the CPU kernels, on the model as the file has it</source>
        <translation>Nur die CPU-Kernel, auf dem Modell, wie die Datei es hat</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>was wäre wenn</translation>
    </message>
    <message>
        <source>%1, then cpu</source>
        <translation>%1, dann cpu</translation>
    </message>
    <message>
        <source>Without the other providers</source>
        <translation>Ohne die anderen Provider</translation>
    </message>
    <message>
        <source>present settings</source>
        <translation>aktuelle Einstellungen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyController</name>
    <message>
        <source>Comparing %1 with %2</source>
        <translation>%1 wird mit %2 verglichen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyPanel</name>
    <message>
        <source>First configuration</source>
        <translation>Erste Konfiguration</translation>
    </message>
    <message>
        <source>Second configuration</source>
        <translation>Zweite Konfiguration</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>Relative Toleranz</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>Absolute Toleranz</translation>
    </message>
    <message>
        <source>Every value becomes an output, so that none is fused away; nodes that are fused otherwise run separately</source>
        <translation>Jeder Wert wird zur Ausgabe, damit keiner verschmolzen wird; sonst verschmolzene Knoten laufen einzeln</translation>
    </message>
    <message>
        <source>When values differ, the smallest part of the model that still differs is saved with its inputs as a test case</source>
        <translation>Wenn sich Werte unterscheiden, wird der kleinste Teil des Modells, der sich noch unterscheidet, mit seinen Eingaben als Testfall gespeichert</translation>
    </message>
    <message>
        <source>Colours the nodes of the graph by the error of their outputs</source>
        <translation>Färbt die Knoten des Graphen nach dem Fehler ihrer Ausgaben</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>with</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>Tolerance: relative</source>
        <translation>Toleranz: relativ</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>absolut</translation>
    </message>
    <message>
        <source>Both configurations run on the same inputs …</source>
        <translation>Beide Konfigurationen laufen auf denselben Eingaben …</translation>
    </message>
    <message>
        <source>The model cannot be run here, so there is nothing to compare.</source>
        <translation>Das Modell kann hier nicht laufen, also gibt es nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffne zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Choose two different configurations.</source>
        <translation>Wähle zwei verschiedene Konfigurationen.</translation>
    </message>
    <message>
        <source>Tolerances are numbers of 0 or more, such as 1e-3.</source>
        <translation>Toleranzen sind Zahlen ab 0, etwa 1e-3.</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>Warte, bis die jetzige Arbeit fertig ist, oder brich sie ab.</translation>
    </message>
    <message>
        <source>Where the failing part is saved</source>
        <translation>Wohin der scheiternde Teil gespeichert wird</translation>
    </message>
    <message>
        <source>Every layer</source>
        <translation>Jede Schicht</translation>
    </message>
    <message>
        <source>Save the failing part …</source>
        <translation>Scheiternden Teil speichern …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>Erster Unterschied</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>Schlimmster</translation>
    </message>
    <message>
        <source>Colour the graph by error</source>
        <translation>Graphen nach Fehler färben</translation>
    </message>
    <message>
        <source>Open the failing part</source>
        <translation>Scheiternden Teil öffnen</translation>
    </message>
    <message>
        <source>another model …</source>
        <translation>ein anderes Modell …</translation>
    </message>
    <message>
        <source>Matched node by node, compared layer by layer</source>
        <translation>Knoten für Knoten zugeordnet, Schicht für Schicht verglichen</translation>
    </message>
    <message>
        <source>The model to compare with</source>
        <translation>Das Modell für den Vergleich</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort *.textproto)</source>
        <translation>Modelle (*.onnx *.ort *.textproto)</translation>
    </message>
    <message>
        <source>Runs the model under two configurations, or beside another model, on the same inputs, and shows for every value how far they are apart: where they first differ, and where most.</source>
        <translation>Führt das Modell unter zwei Konfigurationen oder neben einem anderen Modell mit denselben Eingaben aus und zeigt für jeden Wert, wie weit sie auseinander liegen: wo sie sich zuerst unterscheiden, und wo am meisten.</translation>
    </message>
    <message>
        <source>Choose the model to compare with.</source>
        <translation>Wählen Sie das Modell für den Vergleich.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyTables</name>
    <message>
        <source>▶ first</source>
        <translation>▶ erster</translation>
    </message>
    <message>
        <source>▲ worst</source>
        <translation>▲ schlimmster</translation>
    </message>
    <message>
        <source>✗ outside</source>
        <translation>✗ außerhalb</translation>
    </message>
    <message>
        <source>? not comparable</source>
        <translation>? nicht vergleichbar</translation>
    </message>
    <message>
        <source>, worst</source>
        <translation>, schlimmster</translation>
    </message>
    <message>
        <source>  (output)</source>
        <translation>  (Ausgabe)</translation>
    </message>
    <message>
        <source>%1 against %2: </source>
        <translation>%1 gegen %2: </translation>
    </message>
    <message>
        <source>no value exists on both sides, so nothing was compared.</source>
        <translation>Kein Wert ist auf beiden Seiten vorhanden, also wurde nichts verglichen.</translation>
    </message>
    <message>
        <source>✓ all %1 values agree within the tolerance.</source>
        <translation>✓ alle %1 Werte stimmen in der Toleranz überein.</translation>
    </message>
    <message>
        <source>✗ %1 of %2 values differ, first at %3.</source>
        <translation>✗ %1 von %2 Werten unterscheiden sich, zuerst bei %3.</translation>
    </message>
    <message>
        <source> Worst: %1, %2 relative.</source>
        <translation> Schlimmster: %1, %2 relativ.</translation>
    </message>
    <message>
        <source> %1 values are on one side only; “Every layer” keeps them all.</source>
        <translation> %1 Werte gibt es nur auf einer Seite; „Jede Schicht“ behält sie alle.</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Place in the execution order</source>
        <translation>Platz in der Reihenfolge der Ausführung</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Stimmt überein</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Providers that make it, on both sides</source>
        <translation>Provider, die ihn erzeugen, auf beiden Seiten</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>Relativer Fehler</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>Absoluter Fehler</translation>
    </message>
    <message>
        <source>The largest |a - b|</source>
        <translation>Das größte |a - b|</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Root of the mean square of a - b</source>
        <translation>Wurzel des mittleren Quadrats von a - b</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Of the two as vectors; 1: same direction</source>
        <translation>Der beiden als Vektoren; 1: gleiche Richtung</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Außerhalb</translation>
    </message>
    <message>
        <source>Elements beyond the tolerance</source>
        <translation>Elemente jenseits der Toleranz</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>%1 elements are NaN or infinite on one side only.</source>
        <translation>%1 Elemente sind nur auf einer Seite NaN oder unendlich.</translation>
    </message>
    <message>
        <source>The largest |a - b| / |b|; numbers below absolute / relative tolerance count as that much</source>
        <translation>Das größte |a - b| / |b|; Zahlen unter absoluter / relativer Toleranz zählen als so groß</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ActivityBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Current work</source>
        <translation>Laufende Arbeit</translation>
    </message>
    <message>
        <source>Stop (Ctrl+.)</source>
        <translation>Anhalten (Strg+.)</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AdviceTables</name>
    <message>
        <source>nodes left to the last provider</source>
        <translation>Knoten, die dem letzten Provider bleiben</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>geplante Spitze</translation>
    </message>
    <message>
        <source>buffers without a size</source>
        <translation>Puffer ohne Größe</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>copied bytes</source>
        <translation>kopierte Bytes</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>nodes after optimisation</source>
        <translation>Knoten nach der Optimierung</translation>
    </message>
    <message>
        <source>Nothing that was tried makes a figure smaller: %1 changes.</source>
        <translation>Nichts Ausprobiertes macht eine Zahl kleiner: %1 Änderungen.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>Changes that help: %1; tried in vain: %2.</source>
        <translation>Änderungen, die helfen: %1; vergeblich ausprobiert: %2.</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>%1 (size assumed)</source>
        <translation>%1 (Größe angenommen)</translation>
    </message>
    <message>
        <source>Gains</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>But</source>
        <translation>Aber</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Ausprobiert</translation>
    </message>
    <message>
        <source>%1 (simulated hardware)</source>
        <translation>%1 (simulierte Hardware)</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Of plans: before and after, as the analysis with the change gave them</source>
        <translation>Von Plänen: vorher und nachher, wie sie die Analyse mit der Änderung ergab</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AdviserPanel</name>
    <message>
        <source>Makes the chosen settings those of the session, or saves a changed copy of the model</source>
        <translation>Macht die gewählten Einstellungen zu denen der Sitzung oder speichert eine geänderte Kopie des Modells</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Rat</translation>
    </message>
    <message>
        <source>Apply to a copy …</source>
        <translation>Auf eine Kopie anwenden …</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Applied: %1</source>
        <translation>Angewendet: %1</translation>
    </message>
    <message>
        <source>Changes are being tried …</source>
        <translation>Änderungen werden ausprobiert …</translation>
    </message>
    <message>
        <source>What should I change?</source>
        <translation>Was sollte ich ändern?</translation>
    </message>
    <message>
        <source>Tries settings, and changes of the model where nodes are refused, and shows those that save memory, copies, groups or nodes.</source>
        <translation>Probiert Einstellungen aus, und Änderungen des Modells, wo Knoten abgelehnt werden, und zeigt, was Speicher, Kopien, Gruppen oder Knoten spart.</translation>
    </message>
    <message>
        <source>Ask the adviser</source>
        <translation>Ratgeber fragen</translation>
    </message>
    <message>
        <source>Each re-runs the analysis; cancelling changes nothing.</source>
        <translation>Jede führt die Analyse neu aus; Abbrechen ändert nichts.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AllocatePanel</name>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>kind %1</source>
        <translation>Art %1</translation>
    </message>
    <message>
        <source>Only %1</source>
        <translation>Nur %1</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>In place and views</source>
        <translation>In place und Sichten</translation>
    </message>
    <message>
        <source>Parts and into outputs</source>
        <translation>Teile und in Ausgaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>Alle Regeln</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>Values and their places</source>
        <translation>Werte und ihre Plätze</translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation>Speicher von</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>Alle Geräte</translation>
    </message>
    <message>
        <source>Planned by the rules of onnxruntime.</source>
        <translation>Nach den Regeln von onnxruntime geplant.</translation>
    </message>
    <message>
        <source>Planned by the rules of onnxruntime&apos;s builds for training.</source>
        <translation>Nach den Regeln der Trainings-Builds von onnxruntime geplant.</translation>
    </message>
    <message>
        <source>New buffers</source>
        <translation>Neue Puffer</translation>
    </message>
    <message>
        <source>From the free list</source>
        <translation>Aus der Freiliste</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::BindingBar</name>
    <message>
        <source>1 pin</source>
        <translation>1 Festlegung</translation>
    </message>
    <message>
        <source>%1 pins</source>
        <translation>%1 Festlegungen</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>order %1</source>
        <translation>Reihenfolge %1</translation>
    </message>
    <message>
        <source>rules %1</source>
        <translation>Regeln %1</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>fest</translation>
    </message>
    <message>
        <source>Shapes and configuration</source>
        <translation>Formen und Konfiguration</translation>
    </message>
    <message>
        <source>All dimensions</source>
        <translation>Alle Dimensionen</translation>
    </message>
    <message>
        <source>Plan each</source>
        <translation>Jede planen</translation>
    </message>
    <message>
        <source>Plan each and run it %1 times</source>
        <translation>Jede planen und %1-mal ausführen</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Sizes of %1</source>
        <translation>Größen von %1</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>One size, or several to sweep over: 8, or 1, 8, 32, or 1..32, or 16..64:16; empty: open</source>
        <translation>Eine Größe oder mehrere zum Durchlaufen: 8 oder 1, 8, 32 oder 1..32 oder 16..64:16; leer: offen</translation>
    </message>
    <message>
        <source>Sweep %1 shapes</source>
        <translation>%1 Formen durchlaufen</translation>
    </message>
    <message>
        <source>Latency and planned peak for every combination of sizes</source>
        <translation>Latenz und geplante Spitze für jede Kombination der Größen</translation>
    </message>
    <message>
        <source>At most %1 combinations</source>
        <translation>Höchstens %1 Kombinationen</translation>
    </message>
    <message>
        <source>What if: 1 change</source>
        <translation>Was wäre wenn: 1 Änderung</translation>
    </message>
    <message>
        <source>What if: %1 changes</source>
        <translation>Was wäre wenn: %1 Änderungen</translation>
    </message>
    <message>
        <source>unnamed sizes open</source>
        <translation>unbenannte Größen offen</translation>
    </message>
    <message>
        <source>Inputs have dimensions without a name: the tensors that are fed give them their sizes</source>
        <translation>Eingaben haben Dimensionen ohne Namen: die zugeführten Tensoren geben ihnen ihre Größen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::BindingWords</name>
    <message>
        <source>%1 = %2 (this run)</source>
        <translation>%1 = %2 (dieser Lauf)</translation>
    </message>
    <message>
        <source>%1 open</source>
        <translation>%1 offen</translation>
    </message>
    <message>
        <source>fixed shapes</source>
        <translation>feste Formen</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>unnamed sizes open</source>
        <translation>unbenannte Größen offen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasBar</name>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>Knoten färben nach</translation>
    </message>
    <message>
        <source>Fold all scopes</source>
        <translation>Alle Bereiche einklappen</translation>
    </message>
    <message>
        <source>Unfold all scopes</source>
        <translation>Alle Bereiche aufklappen</translation>
    </message>
    <message>
        <source>Zoom out (Shift+Down)</source>
        <translation>Verkleinern (Umschalt+Ab)</translation>
    </message>
    <message>
        <source>Actual size (Shift+Backspace)</source>
        <translation>Originalgröße (Umschalt+Rücktaste)</translation>
    </message>
    <message>
        <source>Zoom in (Shift+Up)</source>
        <translation>Vergrößern (Umschalt+Auf)</translation>
    </message>
    <message>
        <source>Fit the whole graph (Space)</source>
        <translation>Ganzen Graphen einpassen (Leertaste)</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>Suchen (Strg+F)</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Colours of the present partition</source>
        <translation>Farben der jetzigen Partition</translation>
    </message>
    <message>
        <source>Colours of the partition that was tried out</source>
        <translation>Farben der ausprobierten Partition</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Vergleich schließen</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
    <message>
        <source>Grouping, direction and contents of cards</source>
        <translation>Gruppierung, Richtung und Inhalt der Karten</translation>
    </message>
    <message>
        <source>Group nodes by</source>
        <translation>Knoten gruppieren nach</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>From left to right</source>
        <translation>Von links nach rechts</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>Layout by Graphviz</source>
        <translation>Layout durch Graphviz</translation>
    </message>
    <message>
        <source>Nodes inside compiled groups</source>
        <translation>Knoten in kompilierten Gruppen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasFinder</name>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>%1 in bodies</source>
        <translation>%1 in Rümpfen</translation>
    </message>
    <message>
        <source>%1 in compiled groups</source>
        <translation>%1 in kompilierten Gruppen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasPane</name>
    <message>
        <source>The graph cannot be shown: %1</source>
        <translation>Der Graph kann nicht angezeigt werden: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CommandMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CommandPalette</name>
    <message>
        <source>No command matches. Try fewer letters.</source>
        <translation>Kein Befehl passt. Versuche weniger Buchstaben.</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was möchtest du tun?</translation>
    </message>
    <message>
        <source>Arrow keys choose, Enter runs, Esc closes.</source>
        <translation>Pfeiltasten wählen, Eingabe führt aus, Esc schließt.</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>Passende Befehle</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ComparisonControls</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Use this configuration, and run all stages again</source>
        <translation>Diese Konfiguration verwenden und alle Stufen neu ausführen</translation>
    </message>
    <message>
        <source>Back to the configuration of the session</source>
        <translation>Zurück zur Konfiguration der Sitzung</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>Vergleiche …</translation>
    </message>
    <message>
        <source>This is the session&apos;s configuration. Change something, then compare.</source>
        <translation>Das ist die Konfiguration der Sitzung. Ändere etwas, dann vergleiche.</translation>
    </message>
    <message>
        <source>What if it %1?</source>
        <translation>Was wäre, wenn es %1?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ContextPanel</name>
    <message>
        <source>Context nodes</source>
        <translation>Kontextknoten</translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation>Was behalten wird</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>%1, %2 main</source>
        <translation>%1, %2 Haupt</translation>
    </message>
    <message>
        <source>Usable here</source>
        <translation>Hier benutzbar</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation>Kompiliert von</translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation>Kompilierte Teile</translation>
    </message>
    <message>
        <source>Original nodes inside</source>
        <translation>Ursprüngliche Knoten darin</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Nodes in them</source>
        <translation>Knoten darin</translation>
    </message>
    <message>
        <source>Weights in them</source>
        <translation>Gewichte darin</translation>
    </message>
    <message>
        <source>As placeholders</source>
        <translation>Als Platzhalter</translation>
    </message>
    <message>
        <source>The context model could not be used; its original was opened instead: %1</source>
        <translation>Das Kontextmodell war nicht benutzbar; stattdessen wurde sein Original geöffnet: %1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Compiled groups kept</source>
        <translation>Behaltene kompilierte Gruppen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CreationPage</name>
    <message>
        <source>Flame chart of making the session</source>
        <translation>Flammendiagramm vom Anlegen der Sitzung</translation>
    </message>
    <message>
        <source>The time that loading, optimizing, partitioning and making kernels take is shown here once the session is ready.</source>
        <translation>Sobald die Sitzung bereit ist, steht hier, wie lange Laden, Optimieren, Aufteilen und Anlegen der Kernel dauern.</translation>
    </message>
    <message>
        <source>Spans of the creation</source>
        <translation>Abschnitte beim Anlegen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CurePanel</name>
    <message>
        <source>Proposals</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Saves the model with all proved changes as a file of its own, and opens it</source>
        <translation>Speichert das Modell mit allen geprüften Änderungen als eigene Datei und öffnet sie</translation>
    </message>
    <message>
        <source>Saves the model with the chosen change as a file of its own, and opens it</source>
        <translation>Speichert das Modell mit der gewählten Änderung als eigene Datei und öffnet sie</translation>
    </message>
    <message>
        <source>Apply all to a copy …</source>
        <translation>Alle auf eine Kopie anwenden …</translation>
    </message>
    <message>
        <source>Apply to a copy …</source>
        <translation>Auf eine Kopie anwenden …</translation>
    </message>
    <message>
        <source>Apply the chosen one …</source>
        <translation>Gewählte anwenden …</translation>
    </message>
    <message>
        <source>The provider is being asked …</source>
        <translation>Der Provider wird gefragt …</translation>
    </message>
    <message>
        <source>Each question is about a changed copy of the model; cancelling leaves everything as it is.</source>
        <translation>Jede Frage betrifft eine geänderte Kopie des Modells; Abbrechen lässt alles, wie es ist.</translation>
    </message>
    <message>
        <source>Why not all nodes?</source>
        <translation>Warum nicht alle Knoten?</translation>
    </message>
    <message>
        <source>Looks for changes of the model that free the nodes which the first provider refuses: asks it again about each, and compares the results with the original&apos;s.</source>
        <translation>Sucht Änderungen am Modell, die die Knoten befreien, die der erste Provider ablehnt: fragt ihn zu jeder erneut und vergleicht die Ergebnisse mit denen des Originals.</translation>
    </message>
    <message>
        <source>Find a cure</source>
        <translation>Abhilfe suchen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CureTables</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>not compared: %1</source>
        <translation>nicht verglichen: %1</translation>
    </message>
    <message>
        <source>differ: %1</source>
        <translation>verschieden: %1</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>within tolerance, at most %1 apart</source>
        <translation>in der Toleranz, höchstens %1 auseinander</translation>
    </message>
    <message>
        <source>There is nothing to cure.</source>
        <translation>Es gibt nichts zu beheben.</translation>
    </message>
    <message>
        <source>No change was found that frees a node; asked about: %1.</source>
        <translation>Es wurde keine Änderung gefunden, die einen Knoten befreit; gefragt wurde nach %1.</translation>
    </message>
    <message>
        <source>No proposal keeps the results.</source>
        <translation>Kein Vorschlag erhält die Ergebnisse.</translation>
    </message>
    <message>
        <source>%1 nodes, groups %2</source>
        <translation>%1 Knoten, Gruppen %2</translation>
    </message>
    <message>
        <source>Compiled are %1.</source>
        <translation>Kompiliert sind %1.</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>%1 (size assumed)</source>
        <translation>%1 (Größe angenommen)</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>That the provider takes, as it answered: before and after</source>
        <translation>Die der Provider nimmt, wie er geantwortet hat: vorher und nachher</translation>
    </message>
    <message>
        <source>Gained</source>
        <translation>Gewonnen</translation>
    </message>
    <message>
        <source>How many fewer nodes are left to other providers</source>
        <translation>Um wie viele Knoten weniger anderen Providern bleiben</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Rechenaufwand</translation>
    </message>
    <message>
        <source>That the provider does now and did not do before, of nodes whose sizes are known</source>
        <translation>Den der Provider jetzt übernimmt und vorher nicht, von Knoten mit bekannten Größen</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Original and changed model on the same random inputs, on the CPU</source>
        <translation>Original und geändertes Modell mit denselben zufälligen Eingaben, auf der CPU</translation>
    </message>
    <message>
        <source>But</source>
        <translation>Aber</translation>
    </message>
    <message>
        <source>With %1: %2.</source>
        <translation>Mit %1: %2.</translation>
    </message>
    <message>
        <source>With %1 changes on top of each other: %2.</source>
        <translation>Mit %1 Änderungen übereinander: %2.</translation>
    </message>
    <message>
        <source>%1 claims %2 nodes.</source>
        <translation>%1 beansprucht %2 Knoten.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CurveChart</name>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DerivePanel</name>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>The nodes are being read …</source>
        <translation>Die Knoten werden gelesen …</translation>
    </message>
    <message>
        <source>What would the nodes alone say?</source>
        <translation>Was würden die Knoten allein sagen?</translation>
    </message>
    <message>
        <source>Reads the nodes as ONNX Runtime does for a graph built in memory, and sets the lists of inputs and outputs that they give beside those of the file.</source>
        <translation>Liest die Knoten so, wie ONNX Runtime es bei einem im Speicher gebauten Graphen tut, und stellt die Listen der Ein- und Ausgänge, die sie ergeben, neben die der Datei.</translation>
    </message>
    <message>
        <source>Derive the lists</source>
        <translation>Listen herleiten</translation>
    </message>
    <message>
        <source>Set inputs:</source>
        <translation>Eingänge setzen:</translation>
    </message>
    <message>
        <source>Names between commas: the list of inputs as code that builds the graph sets it. Empty: the rule finds them.</source>
        <translation>Namen, durch Kommas getrennt: die Liste der Eingänge, wie sie Code setzt, der den Graphen aufbaut. Leer: Die Regel findet sie.</translation>
    </message>
    <message>
        <source>Set outputs:</source>
        <translation>Ausgänge setzen:</translation>
    </message>
    <message>
        <source>Names between commas: the list of outputs as code that builds the graph sets it. Empty: the rule finds them.</source>
        <translation>Namen, durch Kommas getrennt: die Liste der Ausgänge, wie sie Code setzt, der den Graphen aufbaut. Leer: Die Regel findet sie.</translation>
    </message>
    <message>
        <source>Derive again</source>
        <translation>Erneut ableiten</translation>
    </message>
    <message>
        <source>found by the rule</source>
        <translation>findet die Regel</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DeriveRows</name>
    <message>
        <source>inputs including initializers</source>
        <translation>Eingänge mit Initialisierern</translation>
    </message>
    <message>
        <source>inputs excluding initializers</source>
        <translation>Eingänge ohne Initialisierer</translation>
    </message>
    <message>
        <source>overridable initializers</source>
        <translation>überschreibbare Initialisierer</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>value_info (intermediates)</source>
        <translation>value_info (Zwischenwerte)</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Inputs and outputs by the nodes alone: %1 and %2; as the file lists them: %3 and %4.</source>
        <translation>Ein- und Ausgänge nach den Knoten allein: %1 und %2; wie die Datei sie aufführt: %3 und %4.</translation>
    </message>
    <message>
        <source>There is no difference.</source>
        <translation>Es gibt keinen Unterschied.</translation>
    </message>
    <message>
        <source>Differences: %1.</source>
        <translation>Unterschiede: %1.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>In der Datei</translation>
    </message>
    <message>
        <source>From the nodes</source>
        <translation>Aus den Knoten</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source> Bodies of control flow: %1.</source>
        <translation> Rümpfe des Kontrollflusses: %1.</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DevicesPage</name>
    <message>
        <source>Memory of devices</source>
        <translation>Speicher der Geräte</translation>
    </message>
    <message>
        <source>Copies between host and devices</source>
        <translation>Kopien zwischen Host und Geräten</translation>
    </message>
    <message>
        <source>Captured segments</source>
        <translation>Aufgezeichnete Abschnitte</translation>
    </message>
    <message>
        <source>Nodes that end a captured segment</source>
        <translation>Knoten, die einen aufgezeichneten Abschnitt beenden</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>Noch nicht gelaufen</translation>
    </message>
    <message>
        <source>After a run on a GPU, its memory, its copies and its captured segments are shown here.</source>
        <translation>Nach einem Lauf auf einer GPU werden hier ihr Speicher, ihre Kopien und ihre aufgezeichneten Abschnitte gezeigt.</translation>
    </message>
    <message>
        <source>No device took part in this run</source>
        <translation>An diesem Lauf nahm kein Gerät teil</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Copies (%1)</source>
        <translation>Kopien (%1)</translation>
    </message>
    <message>
        <source>Captured segments (%1)</source>
        <translation>Aufgezeichnete Abschnitte (%1)</translation>
    </message>
    <message>
        <source>What ends them (%1)</source>
        <translation>Was sie beendet (%1)</translation>
    </message>
    <message>
        <source>Every node ran on the host. With cuda first among the providers, a GPU runs the nodes that it supports.</source>
        <translation>Jeder Knoten lief auf dem Host. Steht cuda an erster Stelle der Provider, führt eine GPU die Knoten aus, die sie unterstützt.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DistributionView</name>
    <message>
        <source>Runs of both profiles</source>
        <translation>Läufe beider Profile</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DockTitle</name>
    <message>
        <source>Close this panel</source>
        <translation>Dieses Feld schließen</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Document</name>
    <message>
        <source>%1 (edited, not saved)</source>
        <translation>%1 (bearbeitet, nicht gespeichert)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DocumentPage</name>
    <message>
        <source>It cannot run here; everything about it is shown.</source>
        <translation>Es kann hier nicht laufen; alles andere ist zu sehen.</translation>
    </message>
    <message>
        <source>There is nothing to show here.</source>
        <translation>Hier gibt es nichts zu sehen.</translation>
    </message>
    <message>
        <source>What could be read is shown.</source>
        <translation>Gezeigt wird, was gelesen werden konnte.</translation>
    </message>
    <message>
        <source>%1: 1 node</source>
        <translation>%1: 1 Knoten</translation>
    </message>
    <message>
        <source>%1: %2 nodes</source>
        <translation>%1: %2 Knoten</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DraftEditor</name>
    <message>
        <source>Providers by priority</source>
        <translation>Provider nach Priorität</translation>
    </message>
    <message>
        <source>Pins</source>
        <translation>Anheftungen</translation>
    </message>
    <message>
        <source>Smallest compiled group, in nodes</source>
        <translation>Kleinste kompilierte Gruppe, in Knoten</translation>
    </message>
    <message>
        <source>Smallest compiled group</source>
        <translation>Kleinste kompilierte Gruppe</translation>
    </message>
    <message>
        <source>Providers, highest priority first</source>
        <translation>Provider, höchste Priorität zuerst</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Options, key=value</source>
        <translation>Optionen, Schlüssel=Wert</translation>
    </message>
    <message>
        <source>Higher priority</source>
        <translation>Höhere Priorität</translation>
    </message>
    <message>
        <source>Lower priority</source>
        <translation>Niedrigere Priorität</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Higher priority (Alt+Up)</source>
        <translation>Höhere Priorität (Alt+Auf)</translation>
    </message>
    <message>
        <source>Lower priority (Alt+Down)</source>
        <translation>Niedrigere Priorität (Alt+Ab)</translation>
    </message>
    <message>
        <source>Remove (Del)</source>
        <translation>Entfernen (Entf)</translation>
    </message>
    <message>
        <source>Add a provider</source>
        <translation>Provider hinzufügen</translation>
    </message>
    <message>
        <source>Remove pin</source>
        <translation>Anheftung lösen</translation>
    </message>
    <message>
        <source>Remove the chosen pin (Del)</source>
        <translation>Gewählte Anheftung lösen (Entf)</translation>
    </message>
    <message>
        <source>None. Right-click a node on the graph or in the table to pin it, its operator or its scope.</source>
        <translation>Keine. Rechtsklick auf einen Knoten im Graphen oder in der Tabelle heftet ihn, seinen Operator oder seinen Bereich an.</translation>
    </message>
    <message>
        <source>%1 is always last and runs what no other provider claimed.</source>
        <translation>%1 ist immer der letzte und führt aus, was kein anderer Provider beansprucht hat.</translation>
    </message>
    <message>
        <source>Options of %1, as in its manual page: key=value, separated by commas</source>
        <translation>Optionen von %1, wie auf seiner Handbuchseite: Schlüssel=Wert, durch Kommas getrennt</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditCheck</name>
    <message>
        <source>There is no value called %1.</source>
        <translation>Es gibt keinen Wert namens %1.</translation>
    </message>
    <message>
        <source>A value needs a name.</source>
        <translation>Ein Wert braucht einen Namen.</translation>
    </message>
    <message>
        <source>Another value is called %1 already.</source>
        <translation>Ein anderer Wert heißt schon %1.</translation>
    </message>
    <message>
        <source>%1 is not a dimension: write a number, a name, or nothing.</source>
        <translation>%1 ist keine Dimension: Schreibe eine Zahl, einen Namen oder nichts.</translation>
    </message>
    <message>
        <source>Write a number or another name.</source>
        <translation>Schreibe eine Zahl oder einen anderen Namen.</translation>
    </message>
    <message>
        <source>%1 is neither a number nor a name.</source>
        <translation>%1 ist weder Zahl noch Name.</translation>
    </message>
    <message>
        <source>A dimension of 0 leaves nothing to compute: write 1 or more.</source>
        <translation>Eine Dimension von 0 lässt nichts zu berechnen: Schreibe 1 oder mehr.</translation>
    </message>
    <message>
        <source>No input has a dimension called %1.</source>
        <translation>Keine Eingabe hat eine Dimension namens %1.</translation>
    </message>
    <message>
        <source>It has no output to bypass.</source>
        <translation>Er hat keine Ausgabe, die sich überbrücken ließe.</translation>
    </message>
    <message>
        <source>None of its inputs has the type of its output (%1), so readers have nothing to read instead.</source>
        <translation>Keine seiner Eingaben hat den Typ seiner Ausgabe (%1), also haben Leser nichts anderes zu lesen.</translation>
    </message>
    <message>
        <source>It has no inputs that its readers could read instead.</source>
        <translation>Er hat keine Eingaben, die seine Leser stattdessen lesen könnten.</translation>
    </message>
    <message>
        <source>The node is no longer in the model.</source>
        <translation>Der Knoten ist nicht mehr im Modell.</translation>
    </message>
    <message>
        <source>It is the only node: nothing would be left.</source>
        <translation>Es ist der einzige Knoten: Nichts bliebe übrig.</translation>
    </message>
    <message>
        <source>Another node is called %1 already.</source>
        <translation>Ein anderer Knoten heißt schon %1.</translation>
    </message>
    <message>
        <source>Write a value.</source>
        <translation>Schreibe einen Wert.</translation>
    </message>
    <message>
        <source>It is an output already.</source>
        <translation>Er ist schon eine Ausgabe.</translation>
    </message>
    <message>
        <source>No node makes it: only values that are computed can be outputs.</source>
        <translation>Kein Knoten erzeugt ihn: Nur berechnete Werte können Ausgaben sein.</translation>
    </message>
    <message>
        <source>It is not an output.</source>
        <translation>Er ist keine Ausgabe.</translation>
    </message>
    <message>
        <source>It is the only output: nothing would be computed.</source>
        <translation>Sie ist die einzige Ausgabe: Nichts würde berechnet.</translation>
    </message>
    <message>
        <source>Name at least one value that the part ends with.</source>
        <translation>Nenne mindestens einen Wert, mit dem der Teil endet.</translation>
    </message>
    <message>
        <source>There is no such graph.</source>
        <translation>Einen solchen Graphen gibt es nicht.</translation>
    </message>
    <message>
        <source>%1 is not an element type.</source>
        <translation>%1 ist kein Elementtyp.</translation>
    </message>
    <message>
        <source>A key needs a name.</source>
        <translation>Ein Schlüssel braucht einen Namen.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditField</name>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditList</name>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>rename value %1 to %2</source>
        <translation>Wert %1 in %2 umbenennen</translation>
    </message>
    <message>
        <source>type of %1 = %2</source>
        <translation>Typ von %1 = %2</translation>
    </message>
    <message>
        <source>shape of %1 = [%2]</source>
        <translation>Form von %1 = [%2]</translation>
    </message>
    <message>
        <source>dimension %1 = %2</source>
        <translation>Dimension %1 = %2</translation>
    </message>
    <message>
        <source>rename %1 to %2</source>
        <translation>%1 in %2 umbenennen</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>bypass %1</source>
        <translation>%1 überbrücken</translation>
    </message>
    <message>
        <source>%1 of %2 = %3</source>
        <translation>%1 von %2 = %3</translation>
    </message>
    <message>
        <source>remove %1 of %2</source>
        <translation>%1 von %2 entfernen</translation>
    </message>
    <message>
        <source>%1 becomes an output</source>
        <translation>%1 wird Ausgabe</translation>
    </message>
    <message>
        <source>%1 is no longer an output</source>
        <translation>%1 ist keine Ausgabe mehr</translation>
    </message>
    <message>
        <source>extract what leads from %1 to %2</source>
        <translation>herauslösen, was von %1 nach %2 führt</translation>
    </message>
    <message>
        <source>metadata %1 = %2</source>
        <translation>Metadaten %1 = %2</translation>
    </message>
    <message>
        <source>remove metadata %1</source>
        <translation>Metadaten %1 entfernen</translation>
    </message>
    <message>
        <source>producer = %1</source>
        <translation>Erzeuger = %1</translation>
    </message>
    <message>
        <source>documentation = %1</source>
        <translation>Dokumentation = %1</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>Speichern als …</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the latest edit (Ctrl+Z)</source>
        <translation>Die letzte Änderung rückgängig machen (Strg+Z)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Redo the edit (Ctrl+Shift+Z)</source>
        <translation>Die Änderung wiederholen (Strg+Umschalt+Z)</translation>
    </message>
    <message>
        <source>Write the edited model to a file; the file that is open stays as it is</source>
        <translation>Das geänderte Modell in eine Datei schreiben; die offene Datei bleibt, wie sie ist</translation>
    </message>
    <message>
        <source>Saving …</source>
        <translation>Speichert …</translation>
    </message>
    <message>
        <source>Open a model to edit it.</source>
        <translation>Öffne ein Modell, um es zu bearbeiten.</translation>
    </message>
    <message>
        <source>Nothing is edited. The file on the disk stays as it is until an edited model is saved over it.</source>
        <translation>Nichts ist geändert. Die Datei auf der Platte bleibt, wie sie ist, bis ein geändertes Modell darüber gespeichert wird.</translation>
    </message>
    <message>
        <source>● Edited, not saved.</source>
        <translation>● Bearbeitet, nicht gespeichert.</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>Gespeichert als %1.</translation>
    </message>
    <message>
        <source>Save the edited model</source>
        <translation>Geändertes Modell speichern</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;Text (*.textproto *.onnxtxt);;All files (*)</source>
        <translation>ONNX-Modelle (*.onnx);;Text (*.textproto *.onnxtxt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Replace file?</source>
        <translation>Datei ersetzen?</translation>
    </message>
    <message>
        <source>%1 is the model that is open. Replace it by the edited one?</source>
        <translation>%1 ist das offene Modell. Durch das geänderte ersetzen?</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>What is in it now will be lost.</source>
        <translation>Was jetzt darin ist, geht verloren.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditPanel</name>
    <message>
        <source>Selected</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>Eingaben und Ausgaben</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Extract</source>
        <translation>Herauslösen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EngineService</name>
    <message>
        <source>Processing %1</source>
        <translation>%1 wird verarbeitet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleicht</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Exportiert</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>Prüft</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ErrorBanner</name>
    <message>
        <source>Show node</source>
        <translation>Knoten zeigen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>file %1</source>
        <translation>Datei %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>All problems</source>
        <translation>Alle Probleme</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Error message</source>
        <translation>Fehlermeldung</translation>
    </message>
    <message>
        <source>Where the error is</source>
        <translation>Wo der Fehler ist</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>Was als Nächstes zu tun ist</translation>
    </message>
    <message>
        <source>Copies the whole message</source>
        <translation>Kopiert die ganze Meldung</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ErrorChart</name>
    <message>
        <source>Error along the execution order</source>
        <translation>Fehler entlang der Reihenfolge der Ausführung</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erster</translation>
    </message>
    <message>
        <source>relative error %1</source>
        <translation>relativer Fehler %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportForm</name>
    <message>
        <source>Browse …</source>
        <translation>Durchsuchen …</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>Replace existing files</source>
        <translation>Vorhandene Dateien ersetzen</translation>
    </message>
    <message>
        <source>Reload and verify</source>
        <translation>Neu laden und prüfen</translation>
    </message>
    <message>
        <source>in files beside the model</source>
        <translation>in Dateien neben dem Modell</translation>
    </message>
    <message>
        <source>inside the model&apos;s file</source>
        <translation>in der Datei des Modells</translation>
    </message>
    <message>
        <source>in a file of their own</source>
        <translation>in einer eigenen Datei</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Put before the names of context nodes and partitions, so that several models that share a binary stay apart.</source>
        <translation>Steht vor den Namen von Kontextknoten und Partitionen, damit mehrere Modelle, die sich eine Binärdatei teilen, getrennt bleiben.</translation>
    </message>
    <message>
        <source>Weights of nodes that stay outside of compiled groups.</source>
        <translation>Gewichte von Knoten, die außerhalb kompilierter Gruppen bleiben.</translation>
    </message>
    <message>
        <source> KB</source>
        <translation> KB</translation>
    </message>
    <message>
        <source>Smaller weights stay in the model&apos;s file.</source>
        <translation>Kleinere Gewichte bleiben in der Datei des Modells.</translation>
    </message>
    <message>
        <source>Without it you are asked before anything is replaced.</source>
        <translation>Ohne dies wirst du gefragt, ehe etwas ersetzt wird.</translation>
    </message>
    <message>
        <source>Opens what was written, runs it beside the original on the same inputs, and compares outputs and times.</source>
        <translation>Öffnet das Geschriebene, führt es neben dem Original auf denselben Eingaben aus und vergleicht Ausgaben und Zeiten.</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>Schreiben nach</translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation>Kompilierte Teile</translation>
    </message>
    <message>
        <source>Name prefix</source>
        <translation>Namenspräfix</translation>
    </message>
    <message>
        <source>File of other weights</source>
        <translation>Datei der übrigen Gewichte</translation>
    </message>
    <message>
        <source>Smallest weights that go there</source>
        <translation>Kleinste Gewichte, die dorthin gehen</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>Write the context model to</source>
        <translation>Kontextmodell schreiben nach</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Name a file to write to.</source>
        <translation>Nenne eine Datei, in die geschrieben wird.</translation>
    </message>
    <message>
        <source>%1 is a folder: name a file in it.</source>
        <translation>%1 ist ein Ordner: Nenne eine Datei darin.</translation>
    </message>
    <message>
        <source>The file&apos;s name needs an ending, such as .onnx.</source>
        <translation>Der Dateiname braucht eine Endung, etwa .onnx.</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>Den Ordner %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>This is the model itself: write the context model to another file.</source>
        <translation>Das ist das Modell selbst: Schreibe das Kontextmodell in eine andere Datei.</translation>
    </message>
    <message>
        <source>The file of other weights is written beside the model: give a name without a folder.</source>
        <translation>Die Datei der anderen Gewichte wird neben dem Modell geschrieben: Gib einen Namen ohne Ordner an.</translation>
    </message>
    <message>
        <source>embedded</source>
        <translation>eingebettet</translation>
    </message>
    <message>
        <source>Remaining initializers</source>
        <translation>Übrige Initializer</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportPage</name>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Again …</source>
        <translation>Noch einmal …</translation>
    </message>
    <message>
        <source>What was exported, and how it compares</source>
        <translation>Was exportiert wurde und wie es abschneidet</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>The cutaway-cli command that writes the same files</source>
        <translation>Der Befehl für cutaway-cli, der dieselben Dateien schreibt</translation>
    </message>
    <message>
        <source>The exported model in a tab of its own</source>
        <translation>Das exportierte Modell in einem eigenen Reiter</translation>
    </message>
    <message>
        <source>Shows the folder that the files were written to</source>
        <translation>Zeigt den Ordner, in den die Dateien geschrieben wurden</translation>
    </message>
    <message>
        <source>Back to the options</source>
        <translation>Zurück zu den Optionen</translation>
    </message>
    <message>
        <source>Opens it again, runs both, and compares outputs and times</source>
        <translation>Öffnet es erneut, führt beide aus und vergleicht Ausgaben und Zeiten</translation>
    </message>
    <message>
        <source>%1 already exists: %2, written %3. Replace it?</source>
        <translation>%1 gibt es schon: %2, geschrieben %3. Ersetzen?</translation>
    </message>
    <message>
        <source>Exporting …</source>
        <translation>Exportiert …</translation>
    </message>
    <message>
        <source>Exporting: %1</source>
        <translation>Exportiert: %1</translation>
    </message>
    <message>
        <source>Written. Verifying …</source>
        <translation>Geschrieben. Prüft …</translation>
    </message>
    <message>
        <source>Written. Verifying: %1</source>
        <translation>Geschrieben. Prüft: %1</translation>
    </message>
    <message>
        <source>%1 was written before it could be stopped.</source>
        <translation>%1 war geschrieben, ehe es angehalten werden konnte.</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>Geschrieben nach %1.</translation>
    </message>
    <message>
        <source> Verifying was cancelled.</source>
        <translation> Das Prüfen wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>Abgebrochen. Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>This model is compiled already.</source>
        <translation>Dieses Modell ist schon kompiliert.</translation>
    </message>
    <message>
        <source>The model is not partitioned yet.</source>
        <translation>Das Modell ist noch nicht partitioniert.</translation>
    </message>
    <message>
        <source>Compiles the groups as this session does and writes them to the file.</source>
        <translation>Kompiliert die Gruppen wie diese Sitzung und schreibt sie in die Datei.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Verify again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>No file manager was found. The folder is %1</source>
        <translation>Kein Dateimanager gefunden. Der Ordner ist %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExtractForm</name>
    <message>
        <source>Extract</source>
        <translation>Herauslösen</translation>
    </message>
    <message>
        <source>Use the selection</source>
        <translation>Auswahl verwenden</translation>
    </message>
    <message>
        <source>values that it begins with, separated by commas</source>
        <translation>Werte, mit denen er beginnt, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>values that it ends with</source>
        <translation>Werte, mit denen er endet</translation>
    </message>
    <message>
        <source>Keeps only the nodes between the given values. Select the first and the last node on the graph (Ctrl adds one), then use the selection.</source>
        <translation>Behält nur die Knoten zwischen den angegebenen Werten. Wähle den ersten und den letzten Knoten im Graphen (Strg fügt einen hinzu) und verwende dann die Auswahl.</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>%1 of %2 nodes stay.</source>
        <translation>%1 von %2 Knoten bleiben.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FiguresView</name>
    <message>
        <source>Figures now and what if</source>
        <translation>Zahlen jetzt und was wäre wenn</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FileWatch</name>
    <message>
        <source>%1 was deleted or moved. What is open stays; reading it again is not possible.</source>
        <translation>%1 wurde gelöscht oder verschoben. Was offen ist, bleibt; erneutes Lesen ist nicht möglich.</translation>
    </message>
    <message>
        <source>%1 changed on disk.</source>
        <translation>%1 hat sich auf der Platte geändert.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Always reload</source>
        <translation>Immer neu laden</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FindBar</name>
    <message>
        <source>Find in the graph</source>
        <translation>Im Graphen suchen</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>Voriger (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>Nächster (Eingabe)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>kein Treffer</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Find: conv op:Relu time&gt;1ms</source>
        <translation>Suchen: conv op:Relu time&gt;1ms</translation>
    </message>
    <message>
        <source>What is wrong with the query</source>
        <translation>Was an der Anfrage nicht stimmt</translation>
    </message>
    <message>
        <source>What can be searched for</source>
        <translation>Wonach gesucht werden kann</translation>
    </message>
    <message>
        <source>%1 (at “%2”)</source>
        <translation>%1 (bei „%2“)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GraphAccessible</name>
    <message>
        <source>Graph %1</source>
        <translation>Graph %1</translation>
    </message>
    <message>
        <source>%1 nodes, shown as %2 items. Arrow keys go from node to node, Enter unfolds or enters, Escape clears the selection.</source>
        <translation>%1 Knoten, gezeigt als %2 Elemente. Pfeiltasten gehen von Knoten zu Knoten, Eingabe klappt auf oder geht hinein, Esc hebt die Auswahl auf.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GuidedTour</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Tour of the window</source>
        <translation>Rundgang durch das Fenster</translation>
    </message>
    <message>
        <source>The stages of a model</source>
        <translation>Die Stufen eines Modells</translation>
    </message>
    <message>
        <source>Each button is a stage that an inference engine puts a model through, with its headline figure. Alt+1 to Alt+9 choose one.</source>
        <translation>Jeder Knopf ist eine Stufe, durch die eine Inferenz-Engine ein Modell führt, mit ihrer wichtigsten Zahl. Alt+1 bis Alt+9 wählen eine.</translation>
    </message>
    <message>
        <source>The graph</source>
        <translation>Der Graph</translation>
    </message>
    <message>
        <source>It is coloured by what the stage is about. The wheel scrolls, with Ctrl it zooms, Space shows all of it; a click chooses a node, a double click unfolds a group or enters a body.</source>
        <translation>Er ist nach dem gefärbt, worum es in der Stufe geht. Das Rad rollt, mit Strg zoomt es, die Leertaste zeigt alles; ein Klick wählt einen Knoten, ein Doppelklick klappt eine Gruppe auf oder betritt einen Rumpf.</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Ctrl+F finds nodes by name, operator, type, shape or what a stage knows: op:Conv, provider:cpu, time&gt;1ms. All hits light up at once.</source>
        <translation>Strg+F findet Knoten nach Name, Operator, Typ, Form oder nach dem, was eine Stufe weiß: op:Conv, provider:cpu, time&gt;1ms. Alle Treffer leuchten zugleich auf.</translation>
    </message>
    <message>
        <source>The panel of the stage</source>
        <translation>Das Feld der Stufe</translation>
    </message>
    <message>
        <source>Tables and pictures about the stage. What is chosen here is chosen on the graph as well, and stays chosen in every stage. F9 hides it.</source>
        <translation>Tabellen und Bilder zur Stufe. Was hier gewählt wird, ist auch im Graphen gewählt und bleibt es in jeder Stufe. F9 blendet es aus.</translation>
    </message>
    <message>
        <source>The inspector</source>
        <translation>Der Inspektor</translation>
    </message>
    <message>
        <source>Everything about the selection: attributes, inputs and outputs, which provider runs the node and why others refused, its memory and its time. F8 hides it.</source>
        <translation>Alles über die Auswahl: Attribute, Ein- und Ausgänge, welcher Provider den Knoten ausführt und warum andere ablehnten, Speicher und Zeit. F8 blendet sie aus.</translation>
    </message>
    <message>
        <source>Everything by keyboard</source>
        <translation>Alles mit der Tastatur</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P opens the command palette: a few letters find every command, panel, overlay and recent file. The question mark shows all keys.</source>
        <translation>Strg+Umschalt+P öffnet die Befehlspalette: ein paar Buchstaben finden jeden Befehl, jedes Feld, jede Färbung und zuletzt geöffnete Dateien. Das Fragezeichen zeigt alle Tasten.</translation>
    </message>
    <message>
        <source>Your own models</source>
        <translation>Eigene Modelle</translation>
    </message>
    <message>
        <source>Ctrl+O opens them, or drop them on the window. Sessions keep settings, edits and bookmarks. This tour waits in the Help menu.</source>
        <translation>Strg+O öffnet sie, oder man zieht sie ins Fenster. Sitzungen bewahren Einstellungen, Änderungen und Lesezeichen. Dieser Rundgang steht im Menü Hilfe.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Shapes and configuration</source>
        <translation>Formen und Konfiguration</translation>
    </message>
    <message>
        <source>Sizes of open dimensions and the settings that everything is done with. One size binds a dimension; several, as in 1, 8, 32, are swept into curves of latency and memory.</source>
        <translation>Größen offener Dimensionen und die Einstellungen, mit denen alles geschieht. Eine Größe bindet eine Dimension; mehrere, wie 1, 8, 32, werden zu Kurven von Latenz und Speicher durchlaufen.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::HistogramChart</name>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>%1 to %2: %3 (%4)</source>
        <translation>%1 bis %2: %3 (%4)</translation>
    </message>
    <message>
        <source>No finite numbers</source>
        <translation>Keine endlichen Zahlen</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittel %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::HistogramPage</name>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Logarithmic counts</source>
        <translation>Anzahlen logarithmisch</translation>
    </message>
    <message>
        <source>zero: %1</source>
        <translation>null: %1</translation>
    </message>
    <message>
        <source>⚠ NaN: %1</source>
        <translation>⚠ NaN: %1</translation>
    </message>
    <message>
        <source>⚠ infinite: %1</source>
        <translation>⚠ unendlich: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::InspectorPanel</name>
    <message>
        <source>Choose a node or a line on the graph,
or a row in a table.</source>
        <translation>Wähle einen Knoten oder eine Linie im Graphen
oder eine Zeile in einer Tabelle.</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copied %1</source>
        <translation>%1 kopiert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ItemAccessible</name>
    <message>
        <source>Selects it</source>
        <translation>Wählt ihn</translation>
    </message>
    <message>
        <source>Unfolds it, or enters its body</source>
        <translation>Klappt ihn auf oder geht in seinen Rumpf</translation>
    </message>
    <message>
        <source>Opens its menu</source>
        <translation>Öffnet sein Menü</translation>
    </message>
    <message>
        <source>Group %1, %2 nodes</source>
        <translation>Gruppe %1, %2 Knoten</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>Eingabe %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>Ausgabe %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LifeChart</name>
    <message>
        <source>Chart of buffers over steps</source>
        <translation>Diagramm der Puffer über den Schritten</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source> · offset %1</source>
        <translation> · Offset %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LinkedTable</name>
    <message>
        <source>Filter: all words must match</source>
        <translation>Filter: alle Wörter müssen passen</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>Tabelle als CSV speichern …</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Steps %1–%2</source>
        <translation>Schritte %1–%2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LoadPanel</name>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>External files</source>
        <translation>Externe Dateien</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>, IR %1</source>
        <translation>, IR %1</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>Opsets</translation>
    </message>
    <message>
        <source>Nodes, all graphs</source>
        <translation>Knoten, alle Graphen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Memory added</source>
        <translation>Speicher hinzu</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Benutzt</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Erzeuger</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LogPanel</name>
    <message>
        <source>Follow</source>
        <translation>Mitlaufen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>What is written</source>
        <translation>Was geschrieben wird</translation>
    </message>
    <message>
        <source>What is written from now on, in all windows</source>
        <translation>Was ab jetzt geschrieben wird, in allen Fenstern</translation>
    </message>
    <message>
        <source>All categories</source>
        <translation>Alle Kategorien</translation>
    </message>
    <message>
        <source>Category that is shown</source>
        <translation>Angezeigte Kategorie</translation>
    </message>
    <message>
        <source>Keeps the latest message in sight</source>
        <translation>Hält die neueste Meldung im Blick</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies the messages that are shown</source>
        <translation>Kopiert die angezeigten Meldungen</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Saves the messages that are shown as text</source>
        <translation>Speichert die angezeigten Meldungen als Text</translation>
    </message>
    <message>
        <source>Copied %1 lines</source>
        <translation>%1 Zeilen kopiert</translation>
    </message>
    <message>
        <source>Save the log</source>
        <translation>Protokoll speichern</translation>
    </message>
    <message>
        <source>Log (*.log *.txt)</source>
        <translation>Protokoll (*.log *.txt)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Also what is done</source>
        <translation>Auch, was geschieht</translation>
    </message>
    <message>
        <source>Also chosen kernels</source>
        <translation>Auch gewählte Kernel</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LogRows</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MainWindow</name>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Shift+Up</source>
        <translation>Umschalt+Auf</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Shift+Down</source>
        <translation>Umschalt+Ab</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Shift+Backspace</source>
        <translation>Umschalt+Rücktaste</translation>
    </message>
    <message>
        <source>Fit the &amp;graph</source>
        <translation>Graphen ein&amp;passen</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Rad</translation>
    </message>
    <message>
        <source>Scroll; with Ctrl zoom at the pointer</source>
        <translation>Blättern; mit Strg Zoom am Zeiger</translation>
    </message>
    <message>
        <source>Middle or Space drag</source>
        <translation>Mittlere Taste oder Leertaste ziehen</translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation>Das Bild bewegen</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>Follow the lines</source>
        <translation>Den Linien folgen</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Unfold a group, enter a body or function</source>
        <translation>Eine Gruppe aufklappen, in Rumpf oder Funktion gehen</translation>
    </message>
    <message>
        <source>Fo&amp;ld all groups</source>
        <translation>Alle Gruppen &amp;einklappen</translation>
    </message>
    <message>
        <source>&amp;Unfold all groups</source>
        <translation>Alle Gruppen &amp;aufklappen</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>&amp;Färben nach</translation>
    </message>
    <message>
        <source>&amp;Overview map</source>
        <translation>&amp;Übersichtskarte</translation>
    </message>
    <message>
        <source>&amp;Wheel zooms</source>
        <translation>&amp;Rad zoomt</translation>
    </message>
    <message>
        <source>The plain wheel zooms and Ctrl+wheel scrolls, or the other way round.</source>
        <translation>Das bloße Rad zoomt und Strg+Rad blättert, oder umgekehrt.</translation>
    </message>
    <message>
        <source>&amp;Leave body or function</source>
        <translation>Rumpf oder Funktion &amp;verlassen</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>&amp;Undo edit</source>
        <translation>Änderung &amp;rückgängig</translation>
    </message>
    <message>
        <source>Undoes the latest edit of the model and runs all stages again.</source>
        <translation>Macht die letzte Änderung des Modells rückgängig und führt alle Stufen neu aus.</translation>
    </message>
    <message>
        <source>&amp;Redo edit</source>
        <translation>Änderung &amp;wiederholen</translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation>&amp;Suchen …</translation>
    </message>
    <message>
        <source>Finds nodes and values by name, operator, type, shape or attribute; Enter and Shift+Enter step, Esc closes.</source>
        <translation>Findet Knoten und Werte nach Name, Operator, Typ, Form oder Attribut; Eingabe und Umschalt+Eingabe gehen weiter, Esc schließt.</translation>
    </message>
    <message>
        <source>&amp;Clear the selection</source>
        <translation>Auswahl auf&amp;heben</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Recent file %1</source>
        <translation>Zuletzt geöffnete Datei %1</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Opens models in tabs of their own; files can be dropped on the window too.</source>
        <translation>Öffnet Modelle in eigenen Reitern; Dateien lassen sich auch auf das Fenster ziehen.</translation>
    </message>
    <message>
        <source>Reopen &amp;closed model</source>
        <translation>&amp;Geschlossenes Modell wieder öffnen</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>Reads the file again and runs all stages.</source>
        <translation>Liest die Datei neu und führt alle Stufen aus.</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>Warte, bis die jetzige Arbeit fertig ist, oder brich sie ab.</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Stops the current work at once.</source>
        <translation>Hält die laufende Arbeit sofort an.</translation>
    </message>
    <message>
        <source>&amp;Stage panel</source>
        <translation>&amp;Stufenfeld</translation>
    </message>
    <message>
        <source>Ins&amp;pector</source>
        <translation>&amp;Inspektor</translation>
    </message>
    <message>
        <source>Everything about what is selected.</source>
        <translation>Alles über das Gewählte.</translation>
    </message>
    <message>
        <source>Export a picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>&amp;Export picture …</source>
        <translation>Bild &amp;exportieren …</translation>
    </message>
    <message>
        <source>Shows this stage.</source>
        <translation>Zeigt diese Stufe.</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thema</translation>
    </message>
    <message>
        <source>&amp;Reset arrangement</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Next model</source>
        <translation>&amp;Nächstes Modell</translation>
    </message>
    <message>
        <source>&amp;Previous model</source>
        <translation>&amp;Voriges Modell</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>&amp;Group by</source>
        <translation>&amp;Gruppieren nach</translation>
    </message>
    <message>
        <source>From left to &amp;right</source>
        <translation>Von links nach &amp;rechts</translation>
    </message>
    <message>
        <source>&amp;Attributes on cards</source>
        <translation>&amp;Attribute auf Karten</translation>
    </message>
    <message>
        <source>&amp;Weights on cards</source>
        <translation>Ge&amp;wichte auf Karten</translation>
    </message>
    <message>
        <source>&amp;Names on cards</source>
        <translation>&amp;Namen auf Karten</translation>
    </message>
    <message>
        <source>Unfold the selected group or body</source>
        <translation>Gewählte Gruppe oder gewählten Rumpf aufklappen</translation>
    </message>
    <message>
        <source>Fold what holds the selection</source>
        <translation>Einklappen, was die Auswahl enthält</translation>
    </message>
    <message>
        <source>&amp;Command palette …</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>Finds everything the window can do.</source>
        <translation>Findet alles, was das Fenster kann.</translation>
    </message>
    <message>
        <source>Compare with another model</source>
        <translation>Mit einem anderen Modell vergleichen</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx *.ort *.textproto);;All files (*)</source>
        <translation>ONNX-Modelle (*.onnx *.ort *.textproto);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Com&amp;pare with another model …</source>
        <translation>Mit anderem Modell &amp;vergleichen …</translation>
    </message>
    <message>
        <source>Shows another model beside this one, with what differs in colours and as a list.</source>
        <translation>Zeigt ein anderes Modell neben diesem; was sich unterscheidet, steht in Farben und als Liste da.</translation>
    </message>
    <message>
        <source>Show &amp;what-if beside</source>
        <translation>&amp;Was-wäre-wenn daneben zeigen</translation>
    </message>
    <message>
        <source>The present configuration and the one that was tried out, side by side.</source>
        <translation>Die jetzige Konfiguration und die ausprobierte nebeneinander.</translation>
    </message>
    <message>
        <source>Next &amp;difference</source>
        <translation>Nächster &amp;Unterschied</translation>
    </message>
    <message>
        <source>Previous d&amp;ifference</source>
        <translation>V&amp;origer Unterschied</translation>
    </message>
    <message>
        <source>&amp;Swap the sides</source>
        <translation>Seiten &amp;tauschen</translation>
    </message>
    <message>
        <source>Close the comp&amp;arison</source>
        <translation>Vergleich sch&amp;ließen</translation>
    </message>
    <message>
        <source>Nothing was exported</source>
        <translation>Nichts wurde exportiert</translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Reports (*.html)</source>
        <translation>Berichte (*.html)</translation>
    </message>
    <message>
        <source>Export the reports as JSON</source>
        <translation>Berichte als JSON exportieren</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>Export all tables: choose a folder</source>
        <translation>Alle Tabellen exportieren: Ordner wählen</translation>
    </message>
    <message>
        <source>Export all tables</source>
        <translation>Alle Tabellen exportieren</translation>
    </message>
    <message>
        <source>Images (*.png);;Drawings (*.svg)</source>
        <translation>Bilder (*.png);;Zeichnungen (*.svg)</translation>
    </message>
    <message>
        <source>Pixels per unit; at 1 the picture has %1 × %2 pixels</source>
        <translation>Pixel je Einheit; bei 1 hat das Bild %1 × %2 Pixel</translation>
    </message>
    <message>
        <source>Writes the graph as PNG at any scale or as SVG.</source>
        <translation>Schreibt den Graphen als PNG in beliebiger Größe oder als SVG.</translation>
    </message>
    <message>
        <source>Export &amp;report …</source>
        <translation>&amp;Bericht exportieren …</translation>
    </message>
    <message>
        <source>Writes one HTML file with the graph to move in, plans, profile and all tables; it needs no network.</source>
        <translation>Schreibt eine HTML-Datei mit beweglichem Graphen, Plänen, Profil und allen Tabellen; sie braucht kein Netz.</translation>
    </message>
    <message>
        <source>Export reports as &amp;JSON …</source>
        <translation>Berichte als &amp;JSON exportieren …</translation>
    </message>
    <message>
        <source>Export all &amp;tables …</source>
        <translation>Alle &amp;Tabellen exportieren …</translation>
    </message>
    <message>
        <source>Writes every table as CSV into a folder.</source>
        <translation>Schreibt jede Tabelle als CSV in einen Ordner.</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>The manual is not where it should be; the program may not be installed whole.</source>
        <translation>Das Handbuch liegt nicht dort, wo es sein sollte; vielleicht ist das Programm nicht vollständig installiert.</translation>
    </message>
    <message>
        <source>No browser could be started. The manual is this file:</source>
        <translation>Kein Browser ließ sich starten. Das Handbuch ist diese Datei:</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Opens the manual with its search in the browser; it needs no network.</source>
        <translation>Öffnet das Handbuch mit seiner Suche im Browser; es braucht kein Netz.</translation>
    </message>
    <message>
        <source>&amp;Play execution</source>
        <translation>Ausführung ab&amp;spielen</translation>
    </message>
    <message>
        <source>Plays the order on the graph while the memory chart fills.</source>
        <translation>Spielt die Reihenfolge im Graphen ab, während sich das Speicherdiagramm füllt.</translation>
    </message>
    <message>
        <source>Next s&amp;tep</source>
        <translation>Nächster Sch&amp;ritt</translation>
    </message>
    <message>
        <source>Previous st&amp;ep</source>
        <translation>Voriger S&amp;chritt</translation>
    </message>
    <message>
        <source>Show all steps a&amp;gain</source>
        <translation>&amp;Alle Schritte wieder zeigen</translation>
    </message>
    <message>
        <source>Clears the step, the range and the marks.</source>
        <translation>Hebt Schritt, Bereich und Marken auf.</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Where the canvas was before: graph, place and selection.</source>
        <translation>Wo der Graph vorher war: Graph, Ort und Auswahl.</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>Bookmark &amp;%1</source>
        <translation>Lesezeichen &amp;%1</translation>
    </message>
    <message>
        <source>Goes to the bookmark under this digit.</source>
        <translation>Geht zum Lesezeichen unter dieser Ziffer.</translation>
    </message>
    <message>
        <source>&amp;Set a bookmark here</source>
        <translation>Hier ein Lesezeichen &amp;setzen</translation>
    </message>
    <message>
        <source>Set bookmark &amp;%1</source>
        <translation>Lesezeichen &amp;%1 setzen</translation>
    </message>
    <message>
        <source>Pressed again at the same place, it removes the bookmark.</source>
        <translation>Am selben Ort noch einmal gedrückt, entfernt es das Lesezeichen.</translation>
    </message>
    <message>
        <source>Bookmark %1: %2</source>
        <translation>Lesezeichen %1: %2</translation>
    </message>
    <message>
        <source>Bookmark %1 was removed.</source>
        <translation>Lesezeichen %1 wurde entfernt.</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>&amp;Hervorheben</translation>
    </message>
    <message>
        <source>&amp;Select what is highlighted</source>
        <translation>Hervorgehobenes &amp;wählen</translation>
    </message>
    <message>
        <source>&amp;End highlighting</source>
        <translation>Hervorhebung &amp;beenden</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Open s&amp;ession …</source>
        <translation>Si&amp;tzung öffnen …</translation>
    </message>
    <message>
        <source>A session keeps models with their settings, edits, bookmarks, profile and the arrangement of the window.</source>
        <translation>Eine Sitzung bewahrt Modelle mit Einstellungen, Änderungen, Lesezeichen, Profil und der Anordnung des Fensters.</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>Sitzung &amp;speichern</translation>
    </message>
    <message>
        <source>Save session &amp;as …</source>
        <translation>Sitzung speichern &amp;unter …</translation>
    </message>
    <message>
        <source>&amp;Tour of the window</source>
        <translation>&amp;Rundgang durch das Fenster</translation>
    </message>
    <message>
        <source>Shows the seven main areas of the window, one after the other.</source>
        <translation>Zeigt die sieben Hauptbereiche des Fensters, einen nach dem anderen.</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>&amp;Model settings …</source>
        <translation>&amp;Modelleinstellungen …</translation>
    </message>
    <message>
        <source>Providers, dimensions, level, order, executor, threads and limit of this model.</source>
        <translation>Provider, Dimensionen, Stufe, Reihenfolge, Executor, Threads und Grenze dieses Modells.</translation>
    </message>
    <message>
        <source>Copy as c&amp;ommand</source>
        <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
        <source>The cutaway-cli command for this model with these settings.</source>
        <translation>Der Befehl von cutaway-cli für dieses Modell mit diesen Einstellungen.</translation>
    </message>
    <message>
        <source>Save arrangement</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Name of the arrangement:</source>
        <translation>Name der Anordnung:</translation>
    </message>
    <message>
        <source>There are %1 arrangements already; delete one first.</source>
        <translation>Es gibt schon %1 Anordnungen; bitte erst eine löschen.</translation>
    </message>
    <message>
        <source>Arrangement saved: %1</source>
        <translation>Anordnung gespeichert: %1</translation>
    </message>
    <message>
        <source>Delete an arrangement</source>
        <translation>Eine Anordnung löschen</translation>
    </message>
    <message>
        <source>Arrangement:</source>
        <translation>Anordnung:</translation>
    </message>
    <message>
        <source>Arrange&amp;ments</source>
        <translation>Anord&amp;nungen</translation>
    </message>
    <message>
        <source>Restores the default arrangement of the docks.</source>
        <translation>Stellt die Vorgabe für die Anordnung wieder her.</translation>
    </message>
    <message>
        <source>&amp;Save arrangement …</source>
        <translation>Anordnung &amp;speichern …</translation>
    </message>
    <message>
        <source>&amp;Delete an arrangement …</source>
        <translation>Eine Anordnung &amp;löschen …</translation>
    </message>
    <message>
        <source>Arrangement %1</source>
        <translation>Anordnung %1</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>Theme, language, size of text, motion, wheel, direction, grouping, defaults of models.</source>
        <translation>Aussehen, Sprache, Schriftgröße, Bewegung, Rad, Richtung, Gruppierung, Vorgaben für Modelle.</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>Nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>The file itself is as it was. The panel of edits saves the edited model under a name that you choose.</source>
        <translation>Die Datei selbst ist unverändert. Das Feld der Änderungen speichert das geänderte Modell unter einem gewählten Namen.</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>Schließen ohne zu speichern</translation>
    </message>
    <message>
        <source>Show edits</source>
        <translation>Änderungen zeigen</translation>
    </message>
    <message>
        <source>The settings could not be read and were renamed to %1. Cutaway starts with its defaults.</source>
        <translation>Die Einstellungen waren nicht lesbar und wurden in %1 umbenannt. Cutaway beginnt mit den Vorgaben.</translation>
    </message>
    <message>
        <source>Next &amp;area</source>
        <translation>Nächster &amp;Bereich</translation>
    </message>
    <message>
        <source>Stages, graph, panels: the keyboard goes from one to the next.</source>
        <translation>Stufen, Graph, Felder: Die Tastatur geht vom einen zum nächsten.</translation>
    </message>
    <message>
        <source>Previous area</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Compare with O&amp;NNX Runtime</source>
        <translation>Mit O&amp;NNX Runtime vergleichen</translation>
    </message>
    <message>
        <source>Asks ONNX Runtime about the same model and shows every stage of both, in the ribbon and as tables.</source>
        <translation>Fragt ONNX Runtime nach demselben Modell und zeigt jede Stufe beider, in der Stufenleiste und als Tabellen.</translation>
    </message>
    <message>
        <source>Save edited &amp;model as …</source>
        <translation>Bearbeitetes &amp;Modell speichern unter …</translation>
    </message>
    <message>
        <source>Writes the model with its edits to a file; the file that is open stays as it is.</source>
        <translation>Schreibt das Modell mit seinen Änderungen in eine Datei; die offene Datei bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>Where a model has edits that are not saved, the key asks for them first.</source>
        <translation>Hat ein Modell ungespeicherte Änderungen, fragt die Taste zuerst nach diesen.</translation>
    </message>
    <message>
        <source>&amp;Save edited model …</source>
        <translation>Bearbeitetes Modell &amp;speichern …</translation>
    </message>
    <message>
        <source>Runs the model with the inputs, runs and threads that stand on the Run stage.</source>
        <translation>Führt das Modell mit den Eingaben, Läufen und Threads aus, die auf der Stufe Lauf stehen.</translation>
    </message>
    <message>
        <source>E&amp;xport context model …</source>
        <translation>Konte&amp;xtmodell exportieren …</translation>
    </message>
    <message>
        <source>Writes the compiled groups as EPContext nodes, to be loaded without compiling.</source>
        <translation>Schreibt die übersetzten Gruppen als EPContext-Knoten, die sich ohne Übersetzen laden lassen.</translation>
    </message>
    <message>
        <source>Copy as P&amp;ython for ONNX Runtime</source>
        <translation>Als P&amp;ython für ONNX Runtime kopieren</translation>
    </message>
    <message>
        <source>A program that opens this model in ONNX Runtime with these settings.</source>
        <translation>Ein Programm, das dieses Modell mit diesen Einstellungen in ONNX Runtime öffnet.</translation>
    </message>
    <message>
        <source>Copy as C+&amp;+ for ONNX Runtime</source>
        <translation>Als C+&amp;+ für ONNX Runtime kopieren</translation>
    </message>
    <message>
        <source>Models, sessions and sweeps (*.onnx *.ort *.textproto *.prototxt *.pbtxt *.onnxtxt *.cutaway *.sqlite *.toml);;All files (*)</source>
        <translation>Modelle, Sitzungen und Sweeps (*.onnx *.ort *.textproto *.prototxt *.pbtxt *.onnxtxt *.cutaway *.sqlite *.toml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Layout by Graph&amp;viz</source>
        <translation>Layout durch Graph&amp;viz</translation>
    </message>
    <message>
        <source>Places nodes by Graphviz&apos;s dot, for graphs of fewer than 2,000 nodes.</source>
        <translation>Ordnet Knoten mit dot von Graphviz an, für Graphen mit weniger als 2.000 Knoten.</translation>
    </message>
    <message>
        <source>Nodes inside &amp;compiled groups</source>
        <translation>Knoten in &amp;kompilierten Gruppen</translation>
    </message>
    <message>
        <source>Opens compiled groups in their place, as hulls around the nodes in them.</source>
        <translation>Öffnet kompilierte Gruppen an ihrer Stelle, als Hüllen um die Knoten in ihnen.</translation>
    </message>
    <message>
        <source>Mouse wheel: zooms; with Ctrl it scrolls.</source>
        <translation>Mausrad: zoomt; mit Strg rollt es.</translation>
    </message>
    <message>
        <source>Mouse wheel: scrolls; with Ctrl it zooms.</source>
        <translation>Mausrad: rollt; mit Strg zoomt es.</translation>
    </message>
    <message>
        <source>Writes what all stages report as JSON, the same that the command line writes.</source>
        <translation>Schreibt als JSON, was alle Stufen melden, dasselbe, was die Kommandozeile schreibt.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MemoryChart</name>
    <message>
        <source>Memory over time, planned and measured</source>
        <translation>Speicher über der Zeit, geplant und gemessen</translation>
    </message>
    <message>
        <source>peak %1, step %2</source>
        <translation>Spitze %1, Schritt %2</translation>
    </message>
    <message>
        <source>held: up to %1, off the scale</source>
        <translation>gehalten: bis %1, außerhalb der Skala</translation>
    </message>
    <message>
        <source>measured memory was not recorded</source>
        <translation>gemessener Speicher wurde nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>step %1: %2 planned</source>
        <translation>Schritt %1: %2 geplant</translation>
    </message>
    <message>
        <source>step %1: %2 planned, %3 measured, %4 held</source>
        <translation>Schritt %1: %2 geplant, %3 gemessen, %4 gehalten</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MetadataPage</name>
    <message>
        <source>Value of the key</source>
        <translation>Wert des Schlüssels</translation>
    </message>
    <message>
        <source>Choose a key to read its whole value.</source>
        <translation>Wähle einen Schlüssel, um seinen ganzen Wert zu lesen.</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>Übersicht des Graphen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelForm</name>
    <message>
        <source>No model is open yet.</source>
        <translation>Noch ist kein Modell offen.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>and %1 more: choose them on the graph to edit them</source>
        <translation>und %1 weitere: Wähle sie im Graphen, um sie zu bearbeiten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>All dimensions of the inputs are numbers already.</source>
        <translation>Alle Dimensionen der Eingaben sind schon Zahlen.</translation>
    </message>
    <message>
        <source>Dimensions of the inputs that have a name. A number fixes one in the model; another name renames it.</source>
        <translation>Dimensionen der Eingaben, die einen Namen haben. Eine Zahl legt eine im Modell fest; ein anderer Name benennt sie um.</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>Neuer Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value of the new key</source>
        <translation>Wert des neuen Schlüssels</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelPanel</name>
    <message>
        <source>Inputs and outputs</source>
        <translation>Eingaben und Ausgaben</translation>
    </message>
    <message>
        <source>Initializers</source>
        <translation>Initializer</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>Opsets</translation>
    </message>
    <message>
        <source>Bodies and functions</source>
        <translation>Rümpfe und Funktionen</translation>
    </message>
    <message>
        <source>External files</source>
        <translation>Externe Dateien</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Warnings (%1)</source>
        <translation>Warnungen (%1)</translation>
    </message>
    <message>
        <source>No model is open yet.</source>
        <translation>Noch ist kein Modell offen.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>%1, IR version %2</source>
        <translation>%1, IR-Version %2</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1 in %2 initializers</source>
        <translation>%1 in %2 Initializern</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Activations moved</source>
        <translation>Bewegte Aktivierungen</translation>
    </message>
    <message>
        <source>Nodes of unknown cost</source>
        <translation>Knoten mit unbekannten Kosten</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>, %1 nodes open</source>
        <translation>, %1 Knoten offen</translation>
    </message>
    <message>
        <source>By the open dimensions: %1; moved between nodes %2</source>
        <translation>Nach den offenen Dimensionen: %1; zwischen Knoten bewegt %2</translation>
    </message>
    <message>
        <source>No costs by the open dimensions: %1</source>
        <translation>Keine Kosten nach den offenen Dimensionen: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelTables</name>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Readers</source>
        <translation>Leser</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Stored in</source>
        <translation>Gespeichert in</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>model file</source>
        <translation>Modelldatei</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Floating point operations; a multiply and an add are two. Nodes whose operations are not known are left out.</source>
        <translation>Gleitkommaoperationen; eine Multiplikation und eine Addition sind zwei. Knoten, deren Operationen nicht bekannt sind, bleiben weg.</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Elements of the float initializers that the nodes read</source>
        <translation>Elemente der Float-Initializer, die die Knoten lesen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Bytes of the initializers that the nodes read</source>
        <translation>Bytes der Initializer, die die Knoten lesen</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Bytes of activations read and written</source>
        <translation>Gelesene und geschriebene Bytes der Aktivierungen</translation>
    </message>
    <message>
        <source>Operations of %1 of %2 nodes are not known.</source>
        <translation>Operationen von %1 der %2 Knoten sind nicht bekannt.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Benutzt</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeAnswers</name>
    <message>
        <source>Show group</source>
        <translation>Gruppe zeigen</translation>
    </message>
    <message>
        <source>Pin to</source>
        <translation>Anheften an</translation>
    </message>
    <message>
        <source>Answers of the providers</source>
        <translation>Antworten der Provider</translation>
    </message>
    <message>
        <source>Select the nodes of its group, and the group in the table</source>
        <translation>Die Knoten ihrer Gruppe wählen, und die Gruppe in der Tabelle</translation>
    </message>
    <message>
        <source>What if another provider had this node?</source>
        <translation>Was wäre, wenn ein anderer Provider diesen Knoten hätte?</translation>
    </message>
    <message>
        <source>Choose a node on the graph or in a table
to see what every provider said about it.</source>
        <translation>Wähle einen Knoten im Graphen oder in einer Tabelle,
um zu sehen, was jeder Provider dazu sagte.</translation>
    </message>
    <message>
        <source>None of the selected nodes was left
when the graph was partitioned.</source>
        <translation>Von den gewählten Knoten war keiner mehr da,
als der Graph aufgeteilt wurde.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeMenu</name>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>What %1 does</source>
        <translation>Was %1 tut</translation>
    </message>
    <message>
        <source>Look at its tensors</source>
        <translation>Seine Tensoren ansehen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Name, attributes …</source>
        <translation>Name, Attribute …</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>Überbrücken</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Look at its values</source>
        <translation>Seine Werte ansehen</translation>
    </message>
    <message>
        <source>Name, type, shape …</source>
        <translation>Name, Typ, Form …</translation>
    </message>
    <message>
        <source>Remove from the outputs</source>
        <translation>Aus den Ausgaben entfernen</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>Zur Ausgabe machen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTablePage</name>
    <message>
        <source>Filter: op:Conv time&gt;1ms params&gt;1e6 …</source>
        <translation>Filter: op:Conv time&gt;1ms params&gt;1e6 …</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>Knoten filtern</translation>
    </message>
    <message>
        <source>Every node</source>
        <translation>Jeder Knoten</translation>
    </message>
    <message>
        <source>By operator</source>
        <translation>Nach Operator</translation>
    </message>
    <message>
        <source>By provider</source>
        <translation>Nach Provider</translation>
    </message>
    <message>
        <source>By name scope</source>
        <translation>Nach Namensbereich</translation>
    </message>
    <message>
        <source>By element type</source>
        <translation>Nach Elementtyp</translation>
    </message>
    <message>
        <source>By pass</source>
        <translation>Nach Pass</translation>
    </message>
    <message>
        <source>By compiled group</source>
        <translation>Nach kompilierter Gruppe</translation>
    </message>
    <message>
        <source>By graph</source>
        <translation>Nach Graph</translation>
    </message>
    <message>
        <source>Group nodes</source>
        <translation>Knoten gruppieren</translation>
    </message>
    <message>
        <source>Sums of the rows shown</source>
        <translation>Summen der gezeigten Zeilen</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>Tabelle als CSV speichern …</translation>
    </message>
    <message>
        <source>Highlight on the graph</source>
        <translation>Im Graphen hervorheben</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 von %2 Knoten</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>%1 Gewichte</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 bewegt</translation>
    </message>
    <message>
        <source>Of all nodes an initializer counts once; of some of them it counts at each node that reads it</source>
        <translation>Von allen Knoten zählt ein Initialisierer einmal; von einigen zählt er bei jedem Knoten, der ihn liest</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimes</name>
    <message>
        <source>Filter: all words must match</source>
        <translation>Filter: alle Wörter müssen passen</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>By operator</source>
        <translation>Nach Operator</translation>
    </message>
    <message>
        <source>By provider</source>
        <translation>Nach Provider</translation>
    </message>
    <message>
        <source>By name scope</source>
        <translation>Nach Namensbereich</translation>
    </message>
    <message>
        <source>Roll up</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Times per node</source>
        <translation>Zeiten je Knoten</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>Tabelle als CSV speichern …</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Durch Kommas getrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>Alle aufklappen</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>Alle einklappen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimesModel</name>
    <message>
        <source>(not in this model)</source>
        <translation>(nicht in diesem Modell)</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of the time of all nodes</source>
        <translation>An der Zeit aller Knoten</translation>
    </message>
    <message>
        <source>±</source>
        <translation>±</translation>
    </message>
    <message>
        <source>Standard deviation over the runs</source>
        <translation>Standardabweichung über die Läufe</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Bytes read and written over the time</source>
        <translation>Gelesene und geschriebene Bytes durch die Zeit</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Liest</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Taken from the arena while it ran</source>
        <translation>Der Arena entnommen, während er lief</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Median over the runs</source>
        <translation>Median der Läufe</translation>
    </message>
    <message>
        <source>median %1; calls took %2 to %3</source>
        <translation>Median %1; Aufrufe dauerten %2 bis %3</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodesModel</name>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Element type of the first output</source>
        <translation>Elementtyp der ersten Ausgabe</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Shape of the first output</source>
        <translation>Form der ersten Ausgabe</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Floating point operations by operator and shapes; a multiply and an add are two</source>
        <translation>Gleitkommaoperationen nach Operator und Formen; eine Multiplikation und eine Addition sind zwei</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Bytes of initializers that it reads</source>
        <translation>Bytes der Initializer, die er liest</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>Bewegte Bytes</translation>
    </message>
    <message>
        <source>Activations read and written, each once</source>
        <translation>Gelesene und geschriebene Aktivierungen, jede einmal</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Bytes of its outputs</source>
        <translation>Bytes seiner Ausgaben</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>In the execution order</source>
        <translation>In der Reihenfolge der Ausführung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Largest relative error of the accuracy comparison</source>
        <translation>Größter relativer Fehler des Genauigkeitsvergleichs</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Optimisation pass that made or changed it</source>
        <translation>Optimierungspass, der ihn machte oder änderte</translation>
    </message>
    <message>
        <source>Compiled group</source>
        <translation>Kompilierte Gruppe</translation>
    </message>
    <message>
        <source>Refused because</source>
        <translation>Abgelehnt, weil</translation>
    </message>
    <message>
        <source>What the first provider said</source>
        <translation>Was der erste Provider sagte</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Measured, median of the runs; of nodes fused into one step the first has it</source>
        <translation>Gemessen, Median der Läufe; von Knoten, die zu einem Schritt verschmolzen sind, hat ihn der erste</translation>
    </message>
    <message>
        <source>Elements of the initializers that it reads</source>
        <translation>Elemente der Initialisierer, die er liest</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodesPage</name>
    <message>
        <source>The chosen context node</source>
        <translation>Der gewählte Kontextknoten</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>darin</translation>
    </message>
    <message>
        <source>show its original nodes</source>
        <translation>seine ursprünglichen Knoten zeigen</translation>
    </message>
    <message>
        <source>Context nodes</source>
        <translation>Kontextknoten</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NoticeBar</name>
    <message>
        <source>Dismiss message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPage</name>
    <message>
        <source>Deprecated in this version: newer models use another operator instead.</source>
        <translation>In dieser Version überholt: Neuere Modelle nehmen einen anderen Operator.</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>%1 · since version %2</source>
        <translation>%1 · seit Version %2</translation>
    </message>
    <message>
        <source>Versions:</source>
        <translation>Versionen:</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>wahlweise</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>beliebig viele</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>Standard %1</translation>
    </message>
    <message>
        <source>missing, but required</source>
        <translation>fehlt, ist aber nötig</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>nicht gegeben</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>required</source>
        <translation>nötig</translation>
    </message>
    <message>
        <source>not in the schema</source>
        <translation>nicht im Schema</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>A function of this model: %1.</source>
        <translation>Eine Funktion dieses Modells: %1.</translation>
    </message>
    <message>
        <source>look at its body</source>
        <translation>ihren Rumpf ansehen</translation>
    </message>
    <message>
        <source>There is no documentation: version %1 of the domain %2 has no operator of this name that is known here.</source>
        <translation>Es gibt keine Dokumentation: Version %1 der Domäne %2 hat keinen hier bekannten Operator dieses Namens.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPanel</name>
    <message>
        <source>Look up an operator: Conv, com.microsoft:Gelu</source>
        <translation>Operator nachschlagen: Conv, com.microsoft:Gelu</translation>
    </message>
    <message>
        <source>Look up an operator</source>
        <translation>Operator nachschlagen</translation>
    </message>
    <message>
        <source>Back to the selected node</source>
        <translation>Zurück zum gewählten Knoten</translation>
    </message>
    <message>
        <source>Select a node to read about its operator,
with this node&apos;s values beside the formal ones.</source>
        <translation>Wähle einen Knoten, um über seinen Operator zu lesen,
mit den Werten dieses Knotens neben den formalen.</translation>
    </message>
    <message>
        <source>Documentation of the operator</source>
        <translation>Dokumentation des Operators</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionController</name>
    <message>
        <source>This window was built without ONNX Runtime.</source>
        <translation>Dieses Fenster wurde ohne ONNX Runtime gebaut.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>ONNX Runtime reads the file: save the edited model and open that.</source>
        <translation>ONNX Runtime liest die Datei: Speichern Sie das bearbeitete Modell und öffnen Sie dieses.</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>Warten Sie, bis die laufende Arbeit fertig ist, oder brechen Sie sie ab.</translation>
    </message>
    <message>
        <source>Comparing with ONNX Runtime</source>
        <translation>Vergleich mit ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionPage</name>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Both engines, stage by stage. A click shows what differs in a stage.</source>
        <translation>Beide Engines, Stufe für Stufe. Ein Klick zeigt, was sich in einer Stufe unterscheidet.</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The graph that both run as it is: ONNX Runtime&apos;s optimised model. A row selects the node that makes the same output here.</source>
        <translation>Der Graph, den beide unverändert ausführen: das optimierte Modell von ONNX Runtime. Eine Zeile wählt den Knoten, der hier dieselbe Ausgabe erzeugt.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionPanel</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>Erneut vergleichen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>ONNX Runtime is being asked …</source>
        <translation>ONNX Runtime wird gefragt …</translation>
    </message>
    <message>
        <source>It runs in a process of its own; cancelling stops that.</source>
        <translation>Es läuft in einem eigenen Prozess; Abbrechen beendet ihn.</translation>
    </message>
    <message>
        <source>Compare with ONNX Runtime</source>
        <translation>Mit ONNX Runtime vergleichen</translation>
    </message>
    <message>
        <source>ONNX Runtime was not found</source>
        <translation>ONNX Runtime wurde nicht gefunden</translation>
    </message>
    <message>
        <source>There is no comparison</source>
        <translation>Es gibt keinen Vergleich</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>ONNX Runtime %1 refuses this model</source>
        <translation>ONNX Runtime %1 lehnt dieses Modell ab</translation>
    </message>
    <message>
        <source>ONNX Runtime beside Cutaway</source>
        <translation>ONNX Runtime neben Cutaway</translation>
    </message>
    <message>
        <source>Runs the model in both, and shows for every stage what each makes of it and by which rule the two differ.</source>
        <translation>Führt das Modell in beiden aus und zeigt für jede Stufe, was jede Engine daraus macht und nach welcher Regel sie sich unterscheiden.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionTables</name>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Cutaway</source>
        <translation>Cutaway</translation>
    </message>
    <message>
        <source>ONNX Runtime</source>
        <translation>ONNX Runtime</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Explained: a named rule says why the two differ. Not compared: there is nothing to compare, and why.</source>
        <translation>Erklärt: Eine benannte Regel sagt, warum sich beide unterscheiden. Nicht verglichen: Es gibt nichts zu vergleichen, und warum.</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>The named rule that explains the difference</source>
        <translation>Die benannte Regel, die den Unterschied erklärt</translation>
    </message>
    <message>
        <source>≠ unexplained</source>
        <translation>≠ nicht erklärt</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was sie ist</translation>
    </message>
    <message>
        <source>Exact, or measured: how often, and what was taken of the measurements</source>
        <translation>Exakt, oder gemessen: wie oft, und was aus den Messungen genommen wurde</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Its first output, which keeps the model&apos;s name</source>
        <translation>Seine erste Ausgabe, die den Namen des Modells behält</translation>
    </message>
    <message>
        <source>Arena there</source>
        <translation>Arena dort</translation>
    </message>
    <message>
        <source>Of ONNX Runtime&apos;s arena in use behind the node, in the first run</source>
        <translation>Belegter Teil der Arena von ONNX Runtime hinter dem Knoten, im ersten Lauf</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Its name in the graph that both run: ONNX Runtime&apos;s optimised model</source>
        <translation>Sein Name in dem Graphen, den beide ausführen: dem optimierten Modell von ONNX Runtime</translation>
    </message>
    <message>
        <source>≠ only here</source>
        <translation>≠ nur hier</translation>
    </message>
    <message>
        <source>≠ only there</source>
        <translation>≠ nur dort</translation>
    </message>
    <message>
        <source>%1, median of %2</source>
        <translation>%1, Median aus %2</translation>
    </message>
    <message>
        <source>Measured: median of the runs, and the shortest and longest of them</source>
        <translation>Gemessen: Median der Läufe, dazu der kürzeste und der längste</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>=: the same step in both; ≠: another one, or only one engine has the node</source>
        <translation>=: derselbe Schritt in beiden; ≠: ein anderer, oder nur eine Engine hat den Knoten</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Its step in the order of this engine</source>
        <translation>Sein Schritt in der Reihenfolge dieser Engine</translation>
    </message>
    <message>
        <source>There</source>
        <translation>Dort</translation>
    </message>
    <message>
        <source>Its step in ONNX Runtime&apos;s order; empty: it replaced the node when it opened the graph</source>
        <translation>Sein Schritt in der Reihenfolge von ONNX Runtime; leer: der Knoten wurde beim Öffnen des Graphen ersetzt</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionWords</name>
    <message>
        <source>Inputs and outputs</source>
        <translation>Ein- und Ausgaben</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partitionieren</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>✗ ONNX Runtime %1 refuses this model: %2</source>
        <translation>✗ ONNX Runtime %1 lehnt dieses Modell ab: %2</translation>
    </message>
    <message>
        <source>ONNX Runtime %1, %2: </source>
        <translation>ONNX Runtime %1, %2: </translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>differences: %1, all explained by a rule.</source>
        <translation>Unterschiede: %1, alle durch eine Regel erklärt.</translation>
    </message>
    <message>
        <source>differences: %1, ≠ %2 of them unexplained.</source>
        <translation>Unterschiede: %1, davon ≠ %2 nicht erklärt.</translation>
    </message>
    <message>
        <source>%1: Cutaway %2, ONNX Runtime %3 – %4</source>
        <translation>%1: Cutaway %2, ONNX Runtime %3 – %4</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1 explained</source>
        <translation>%1 erklärt</translation>
    </message>
    <message>
        <source>%1 of %2 unexplained</source>
        <translation>%1 von %2 unerklärt</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>no stage differs.</source>
        <translation>keine Stufe unterscheidet sich.</translation>
    </message>
    <message>
        <source> Not compared: %1 of %2.</source>
        <translation> Nicht verglichen: %1 von %2.</translation>
    </message>
    <message>
        <source>same for the nodes of both</source>
        <translation>gleich für Knoten beider</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OptimizePanel</name>
    <message>
        <source>Passes</source>
        <translation>Pässe</translation>
    </message>
    <message>
        <source>Rewrites</source>
        <translation>Umschreibungen</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Passes that found something</source>
        <translation>Pässe, die etwas fanden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Folded into constants</source>
        <translation>Zu Konstanten gefaltet</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Rewrites (%1)</source>
        <translation>Umschreibungen (%1)</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>What and why</source>
        <translation>Was und warum</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OrderPage</name>
    <message>
        <source>Progress of comparing orders</source>
        <translation>Fortschritt beim Vergleich der Reihenfolgen</translation>
    </message>
    <message>
        <source>Orders side by side</source>
        <translation>Reihenfolgen nebeneinander</translation>
    </message>
    <message>
        <source>Use the chosen order, and run all stages again (Enter)</source>
        <translation>Die gewählte Reihenfolge verwenden und alle Stufen neu ausführen (Eingabe)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Compare orders</source>
        <translation>Reihenfolgen vergleichen</translation>
    </message>
    <message>
        <source>Use this order</source>
        <translation>Diese Reihenfolge nehmen</translation>
    </message>
    <message>
        <source>Use the %1 order</source>
        <translation>Die Reihenfolge „%1“ nehmen</translation>
    </message>
    <message>
        <source>Planning the model in every order …</source>
        <translation>Plant das Modell in jeder Reihenfolge …</translation>
    </message>
    <message>
        <source>Smaller peaks need less memory; a shorter path leaves more to do at once.</source>
        <translation>Kleinere Spitzen brauchen weniger Speicher; ein kürzerer Pfad lässt mehr zugleich zu.</translation>
    </message>
    <message>
        <source>What would another order change? Plans the model in all four, without running it.</source>
        <translation>Was würde eine andere Reihenfolge ändern? Plant das Modell in allen vieren, ohne es auszuführen.</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>No placement of this order can be smaller</source>
        <translation>Keine Platzierung dieser Reihenfolge kann kleiner sein</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Work on the longest chain</source>
        <translation>Arbeit auf der längsten Kette</translation>
    </message>
    <message>
        <source>Planned in</source>
        <translation>Geplant in</translation>
    </message>
    <message>
        <source>Live bytes over steps</source>
        <translation>Lebende Bytes über den Schritten</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OverlayWords</name>
    <message>
        <source>What can be kept compiled is known once Partition is done.</source>
        <translation>Was kompiliert behalten werden kann, ist nach der Partition bekannt.</translation>
    </message>
    <message>
        <source>Sizes depend on open dimensions: give these a size.</source>
        <translation>Größen hängen von offenen Dimensionen ab: Gib ihnen eine Größe.</translation>
    </message>
    <message>
        <source>The order is known once Order is done.</source>
        <translation>Die Reihenfolge ist bekannt, sobald sie geplant ist.</translation>
    </message>
    <message>
        <source>Nodes have no provider before Partition is done.</source>
        <translation>Knoten haben vor der Partition keinen Provider.</translation>
    </message>
    <message>
        <source>Run the model with profiling to see times.</source>
        <translation>Führe das Modell mit Messung aus, um Zeiten zu sehen.</translation>
    </message>
    <message>
        <source>What changes is known once Optimize is done.</source>
        <translation>Was sich ändert, ist nach dem Optimieren bekannt.</translation>
    </message>
    <message>
        <source>type not known</source>
        <translation>Typ nicht bekannt</translation>
    </message>
    <message>
        <source>Compare two configurations to see errors.</source>
        <translation>Vergleiche zwei Konfigurationen, um Fehler zu sehen.</translation>
    </message>
    <message>
        <source>The comparison has no value of this graph: compare every layer.</source>
        <translation>Der Vergleich hat keinen Wert dieses Graphen: Vergleiche jede Schicht.</translation>
    </message>
    <message>
        <source>Costs are known once shapes are: after Inputs &amp; outputs.</source>
        <translation>Kosten sind bekannt, sobald die Formen es sind: nach Ein- &amp; Ausgaben.</translation>
    </message>
    <message>
        <source>other passes</source>
        <translation>andere Pässe</translation>
    </message>
    <message>
        <source>not changed by any pass</source>
        <translation>von keinem Pass geändert</translation>
    </message>
    <message>
        <source>Providers answer in Partition, which is not done.</source>
        <translation>Provider antworten bei der Partition, die noch nicht fertig ist.</translation>
    </message>
    <message>
        <source>other causes</source>
        <translation>andere Gründe</translation>
    </message>
    <message>
        <source>claimed by the first provider</source>
        <translation>vom ersten Provider beansprucht</translation>
    </message>
    <message>
        <source>There are no style rules yet: search for something and add a rule of it.</source>
        <translation>Es gibt noch keine Stilregeln: Suche etwas und mach daraus eine Regel.</translation>
    </message>
    <message>
        <source>The rules are being applied …</source>
        <translation>Die Regeln werden angewandt …</translation>
    </message>
    <message>
        <source>mostly weights</source>
        <translation>vor allem Gewichte</translation>
    </message>
    <message>
        <source>both equally</source>
        <translation>beides gleich</translation>
    </message>
    <message>
        <source>mostly activations</source>
        <translation>vor allem Aktivierungen</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>Größe nicht bekannt</translation>
    </message>
    <message>
        <source>Compare with another model, or show the what-if beside, to see what differs.</source>
        <translation>Vergleiche mit einem anderen Modell oder zeige das Was-wäre-wenn daneben, um zu sehen, was sich unterscheidet.</translation>
    </message>
    <message>
        <source>The model is not loaded yet.</source>
        <translation>Das Modell ist noch nicht geladen.</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>nur hier</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>None of these nodes has a step of its own: what became of them shows it on the Order stage.</source>
        <translation>Keiner dieser Knoten hat einen eigenen Schritt: Was aus ihnen wurde, zeigt ihn in der Stufe Reihenfolge.</translation>
    </message>
    <message>
        <source>None of these nodes was timed: what became of them shows its time on the Run stage.</source>
        <translation>Keiner dieser Knoten wurde gemessen: Was aus ihnen wurde, zeigt seine Zeit in der Stufe Lauf.</translation>
    </message>
    <message>
        <source>estimated inside groups: a group&apos;s time by work</source>
        <translation>in Gruppen geschätzt: Zeit der Gruppe nach Arbeit</translation>
    </message>
    <message>
        <source>intermediates only</source>
        <translation>nur Zwischenwerte</translation>
    </message>
    <message>
        <source>%1: a Transpose put in (%2)</source>
        <translation>%1: ein Transpose eingesetzt (%2)</translation>
    </message>
    <message>
        <source>%1: written anew as %2 (%3)</source>
        <translation>%1: neu geschrieben als %2 (%3)</translation>
    </message>
    <message>
        <source>changed by its provider</source>
        <translation>vom Provider geändert</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>not compiled</source>
        <translation>nicht kompiliert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PageTabs</name>
    <message>
        <source>Open models</source>
        <translation>Offene Modelle</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close others</source>
        <translation>Andere schließen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PairView</name>
    <message>
        <source>≠ changed</source>
        <translation>≠ geändert</translation>
    </message>
    <message>
        <source>− only left</source>
        <translation>− nur links</translation>
    </message>
    <message>
        <source>+ only right</source>
        <translation>+ nur rechts</translation>
    </message>
    <message>
        <source>= the same</source>
        <translation>= gleich</translation>
    </message>
    <message>
        <source>Every node runs as before</source>
        <translation>Jeder Knoten läuft wie zuvor</translation>
    </message>
    <message>
        <source>All %1 nodes are the same</source>
        <translation>Alle %1 Knoten sind gleich</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>%1 only left</source>
        <translation>%1 nur links</translation>
    </message>
    <message>
        <source>%1 only right</source>
        <translation>%1 nur rechts</translation>
    </message>
    <message>
        <source>%1 the same</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>%1 inputs, outputs or weights differ</source>
        <translation>%1 Eingaben, Ausgaben oder Gewichte unterscheiden sich</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>Voriger Unterschied</translation>
    </message>
    <message>
        <source>Previous difference (Shift+N)</source>
        <translation>Voriger Unterschied (Umschalt+N)</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>Nächster Unterschied</translation>
    </message>
    <message>
        <source>Next difference (N)</source>
        <translation>Nächster Unterschied (N)</translation>
    </message>
    <message>
        <source>Move together</source>
        <translation>Gemeinsam bewegen</translation>
    </message>
    <message>
        <source>Both graphs move together</source>
        <translation>Beide Graphen bewegen sich gemeinsam</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Colour what differs</source>
        <translation>Unterschiede färben</translation>
    </message>
    <message>
        <source>Swap sides</source>
        <translation>Seiten tauschen</translation>
    </message>
    <message>
        <source>Left becomes right</source>
        <translation>Links wird rechts</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Vergleich schließen</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>%1 beside %2</source>
        <translation>%1 neben %2</translation>
    </message>
    <message>
        <source>%1 cannot be shown: %2</source>
        <translation>%1 kann nicht gezeigt werden: %2</translation>
    </message>
    <message>
        <source>There is no what-if yet: try one out on the Partition stage.</source>
        <translation>Es gibt noch kein Was-wäre-wenn: Probiere eines in der Stufe Partition aus.</translation>
    </message>
    <message>
        <source>Looking for what differs …</source>
        <translation>Sucht, was sich unterscheidet …</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>How it differs</source>
        <translation>Wie es sich unterscheidet</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PartitionPanel</name>
    <message>
        <source>All nodes</source>
        <translation>Alle Knoten</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Refusals</source>
        <translation>Ablehnungen</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>What if •</source>
        <translation>Was wäre wenn •</translation>
    </message>
    <message>
        <source>, %1 not assigned</source>
        <translation>, %1 nicht zugewiesen</translation>
    </message>
    <message>
        <source>%1, %2 compiled</source>
        <translation>%1, %2 kompiliert</translation>
    </message>
    <message>
        <source>Boundary cost</source>
        <translation>Kosten der Grenzen</translation>
    </message>
    <message>
        <source>What if: this is not the session&apos;s configuration.</source>
        <translation>Was wäre wenn: Das ist nicht die Konfiguration der Sitzung.</translation>
    </message>
    <message>
        <source>Show its nodes in the table</source>
        <translation>Seine Knoten in der Tabelle zeigen</translation>
    </message>
    <message>
        <source>Go to the node that forces it</source>
        <translation>Zum Knoten, der sie erzwingt</translation>
    </message>
    <message>
        <source>Assigned to %1</source>
        <translation>%1 zugewiesen</translation>
    </message>
    <message>
        <source>Find a cure</source>
        <translation>Abhilfe suchen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PatternPanel</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>Strategien</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Not planned</source>
        <translation>Nicht geplant</translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation>Speicher von</translation>
    </message>
    <message>
        <source>Graph and device</source>
        <translation>Graph und Gerät</translation>
    </message>
    <message>
        <source>Blocks (%1)</source>
        <translation>Blöcke (%1)</translation>
    </message>
    <message>
        <source>Not planned (%1)</source>
        <translation>Nicht geplant (%1)</translation>
    </message>
    <message>
        <source>reached</source>
        <translation>erreicht</translation>
    </message>
    <message>
        <source>+%1 above it</source>
        <translation>+%1 darüber</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation>Ohne Teilen</translation>
    </message>
    <message>
        <source>%1, saves %2</source>
        <translation>%1, spart %2</translation>
    </message>
    <message>
        <source>Peak at step</source>
        <translation>Spitze in Schritt</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>Fragmentierung</translation>
    </message>
    <message>
        <source>Measured, with workspace</source>
        <translation>Gemessen, mit Arbeitsbereich</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>The arena holds, simulated</source>
        <translation>Die Arena hält, simuliert</translation>
    </message>
    <message>
        <source>Allocations of the run</source>
        <translation>Speicher des Laufs</translation>
    </message>
    <message>
        <source>Run: every value by itself</source>
        <translation>Lauf: jeder Wert für sich</translation>
    </message>
    <message>
        <source>Run: buffers used again</source>
        <translation>Lauf: Puffer wiederverwendet</translation>
    </message>
    <message>
        <source>Run: one block</source>
        <translation>Lauf: ein Block</translation>
    </message>
    <message>
        <source>, %1 buffers open</source>
        <translation>, %1 Puffer offen</translation>
    </message>
    <message>
        <source>By the open dimensions, on %1: without sharing %2</source>
        <translation>Nach den offenen Dimensionen, auf %1: ohne Teilen %2</translation>
    </message>
    <message>
        <source>By the open dimensions, on %1: at least %2; without sharing %3</source>
        <translation>Nach den offenen Dimensionen, auf %1: mindestens %2; ohne Teilen %3</translation>
    </message>
    <message>
        <source>Most bytes alive</source>
        <translation>Höchstens lebende Bytes</translation>
    </message>
    <message>
        <source>Reached at step</source>
        <translation>Erreicht in Schritt</translation>
    </message>
    <message>
        <source>, 1 buffer open</source>
        <translation>, 1 Puffer offen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PictureDialog</name>
    <message>
        <source>PNG, an image</source>
        <translation>PNG, ein Bild</translation>
    </message>
    <message>
        <source>SVG, a drawing</source>
        <translation>SVG, eine Zeichnung</translation>
    </message>
    <message>
        <source>The whole graph</source>
        <translation>Der ganze Graph</translation>
    </message>
    <message>
        <source>The visible part</source>
        <translation>Der sichtbare Teil</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Legend above the graph</source>
        <translation>Legende über dem Graphen</translation>
    </message>
    <message>
        <source>Export a picture of the graph</source>
        <translation>Bild des Graphen exportieren</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Part</source>
        <translation>&amp;Teil</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>F&amp;arben</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thema</translation>
    </message>
    <message>
        <source>Fi&amp;le</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>%1 × %2 units, sharp at any size</source>
        <translation>%1 × %2 Einheiten, scharf in jeder Größe</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1 megapixels: it will be written as asked, but many viewers cannot open so large an image</source>
        <translation>%1 Megapixel: Es wird geschrieben wie gewünscht, aber viele Betrachter können ein so großes Bild nicht öffnen</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>Zeichnungen (*.svg)</translation>
    </message>
    <message>
        <source>Images (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 gibt es schon. Ersetzen?</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PicturePage</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Wärmekarte</translation>
    </message>
    <message>
        <source>last two axes</source>
        <translation>letzte zwei Achsen</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>Kanäle zuerst</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>Kanäle zuletzt</translation>
    </message>
    <message>
        <source>Meaning of the axes</source>
        <translation>Bedeutung der Achsen</translation>
    </message>
    <message>
        <source>Which axes are height, width and channels</source>
        <translation>Welche Achsen Höhe, Breite und Kanäle sind</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>middle 98 %</source>
        <translation>mittlere 98 %</translation>
    </message>
    <message>
        <source>whole range</source>
        <translation>ganzer Bereich</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 bis 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 bis 255</translation>
    </message>
    <message>
        <source>Range of the scale</source>
        <translation>Bereich der Skala</translation>
    </message>
    <message>
        <source>Which numbers the ends of the scale stand for</source>
        <translation>Für welche Zahlen die Enden der Skala stehen</translation>
    </message>
    <message>
        <source>every %1. row, every %2. column</source>
        <translation>jede %1. Zeile, jede %2. Spalte</translation>
    </message>
    <message>
        <source>RGB</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>Kanal %1</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>Achse %1: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index auf Achse %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PictureView</name>
    <message>
        <source>Picture of the tensor</source>
        <translation>Bild des Tensors</translation>
    </message>
    <message>
        <source>%1 by %2 elements, from %3 to %4</source>
        <translation>%1 mal %2 Elemente, von %3 bis %4</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanDraftEditor</name>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>default: depth first</source>
        <translation>Standard: Tiefe zuerst</translation>
    </message>
    <message>
        <source>priority</source>
        <translation>Vorrang</translation>
    </message>
    <message>
        <source>fifo: as nodes become ready</source>
        <translation>fifo: wie Knoten bereit werden</translation>
    </message>
    <message>
        <source>memory: smallest peak</source>
        <translation>Speicher: kleinste Spitze</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Cutaway&apos;s</source>
        <translation>von Cutaway</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s</source>
        <translation>von onnxruntime</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>Ausführer</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>nacheinander</translation>
    </message>
    <message>
        <source>dataflow: independent nodes at once</source>
        <translation>Datenfluss: unabhängige Knoten zugleich</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Arbeiter</translation>
    </message>
    <message>
        <source>Reuse free buffers</source>
        <translation>Freie Puffer wiederverwenden</translation>
    </message>
    <message>
        <source>session.enable_mem_reuse</source>
        <translation>session.enable_mem_reuse</translation>
    </message>
    <message>
        <source>Write over inputs that are no longer needed</source>
        <translation>Über Eingaben schreiben, die nicht mehr gebraucht werden</translation>
    </message>
    <message>
        <source>In place, where the operator allows it</source>
        <translation>In place, wo der Operator es erlaubt</translation>
    </message>
    <message>
        <source>Plan one block of memory</source>
        <translation>Einen Speicherblock planen</translation>
    </message>
    <message>
        <source>session.enable_mem_pattern; without it every value comes from the arena</source>
        <translation>session.enable_mem_pattern; ohne ihn kommt jeder Wert aus der Arena</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>Erlaubt</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>The model has no open dimension.</source>
        <translation>Das Modell hat keine offene Dimension.</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>onnxruntime: its default</source>
        <translation>onnxruntime: dessen Vorgabe</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s for training</source>
        <translation>die von onnxruntime fürs Training</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanPage</name>
    <message>
        <source>Live bytes of both plans</source>
        <translation>Lebende Bytes beider Pläne</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Values (%1)</source>
        <translation>Werte (%1)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanStudies</name>
    <message>
        <source>Comparing orders</source>
        <translation>Vergleicht Reihenfolgen</translation>
    </message>
    <message>
        <source>Planning sizes of %1</source>
        <translation>Plant Größen von %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlayBar</name>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>live %1, peak so far %2 at step %3</source>
        <translation>lebend %1, Spitze bisher %2 in Schritt %3</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>One step back (Left)</source>
        <translation>Einen Schritt zurück (Links)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the execution on the graph and in the charts (Space)</source>
        <translation>Die Ausführung im Graphen und in den Diagrammen abspielen (Leertaste)</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>One step on (Right)</source>
        <translation>Einen Schritt weiter (Rechts)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step in the execution order: arrow keys step, Page Up and Down jump, Space plays</source>
        <translation>Schritt in der Ausführungsreihenfolge: Pfeiltasten gehen, Bild auf und ab springen, Leertaste spielt ab</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>How fast it plays; at 1× four steps a second, and a long order within half a minute</source>
        <translation>Wie schnell es spielt; bei 1× vier Schritte je Sekunde, und eine lange Reihenfolge binnen einer halben Minute</translation>
    </message>
    <message>
        <source>step 0 of %1</source>
        <translation>Schritt 0 von %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>%1, run at %2</source>
        <translation>%1, gelaufen bei %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemBadge</name>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>Problems: %1</source>
        <translation>Probleme: %1</translation>
    </message>
    <message>
        <source>Show all problems</source>
        <translation>Alle Probleme zeigen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemList</name>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>file %1</source>
        <translation>Datei %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>A setting forbids it: change the setting, or leave it as it is.</source>
        <translation>Eine Einstellung verbietet es: Ändere sie oder lass es, wie es ist.</translation>
    </message>
    <message>
        <source>The model was loaded all the same; check the named place before you trust results.</source>
        <translation>Das Modell wurde trotzdem geladen; prüfe die genannte Stelle, ehe du Ergebnissen traust.</translation>
    </message>
    <message>
        <source>Fix it in the model, or in Edit model if it is a type, shape or name.</source>
        <translation>Behebe es im Modell, oder in „Modell bearbeiten“, wenn es Typ, Form oder Name ist.</translation>
    </message>
    <message>
        <source>Dimensions are open: %1. Sizes and plans that depend on them are not known before a run.</source>
        <translation>Dimensionen sind offen: %1. Größen und Pläne, die davon abhängen, sind vor einem Lauf nicht bekannt.</translation>
    </message>
    <message>
        <source>The partition panel shows what each provider answered.</source>
        <translation>Das Partitionsfeld zeigt, was jeder Provider geantwortet hat.</translation>
    </message>
    <message>
        <source>No provider supports %1 nodes, so the model cannot run here.</source>
        <translation>Kein Provider unterstützt %1 Knoten, also kann das Modell hier nicht laufen.</translation>
    </message>
    <message>
        <source>Read the reasons beside the nodes in the partition panel; edit the model, or add a provider that knows the operator.</source>
        <translation>Lies die Gründe neben den Knoten im Partitionsfeld; ändere das Modell oder füge einen Provider hinzu, der den Operator kennt.</translation>
    </message>
    <message>
        <source>Compile the context again if it does not load or runs wrongly.</source>
        <translation>Kompiliere den Kontext neu, wenn er nicht lädt oder falsch läuft.</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>Modell bearbeiten</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Difference of models</source>
        <translation>Unterschied der Modelle</translation>
    </message>
    <message>
        <source>%1 refused %2 (%3): %4</source>
        <translation>%1 lehnte %2 ab (%3): %4</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Nothing needs to be done: the next provider runs them.</source>
        <translation>Nichts muss getan werden: Der nächste Provider führt sie aus.</translation>
    </message>
    <message>
        <source>Supported: %1</source>
        <translation>Unterstützt: %1</translation>
    </message>
    <message>
        <source>Check the path; files with weights must lie where the model names them.</source>
        <translation>Prüfe den Pfad; Dateien mit Gewichten müssen liegen, wo das Modell sie nennt.</translation>
    </message>
    <message>
        <source>The file is not an ONNX model, or is truncated: download or export it again.</source>
        <translation>Die Datei ist kein ONNX-Modell oder unvollständig: Lade oder exportiere sie neu.</translation>
    </message>
    <message>
        <source>The model breaks a rule of ONNX at this place: fix the exporter, or edit the model and save it.</source>
        <translation>Das Modell verletzt an dieser Stelle eine Regel von ONNX: Behebe den Export, oder bearbeite das Modell und speichere es.</translation>
    </message>
    <message>
        <source>No kernel here knows this: try another provider, another opset or type, or cut the node off in Edit model.</source>
        <translation>Kein Kernel hier kennt das: Versuche einen anderen Provider, Opset oder Typ, oder schneide den Knoten in „Modell bearbeiten“ ab.</translation>
    </message>
    <message>
        <source>Correct what the message names and try again.</source>
        <translation>Berichtige, was die Meldung nennt, und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>Take the provider out in what-if, or pin the node to another one, and try again.</source>
        <translation>Nimm den Provider in Was-wäre-wenn heraus, oder hefte den Knoten an einen anderen, und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>It was cancelled: press F5 to run all stages again.</source>
        <translation>Es wurde abgebrochen: F5 führt alle Stufen neu aus.</translation>
    </message>
    <message>
        <source>The model&apos;s settings ask for a compiled context: export one in the context stage, or change the setting.</source>
        <translation>Die Einstellungen des Modells verlangen einen kompilierten Kontext: Exportiere einen in der Stufe Kontext oder ändere die Einstellung.</translation>
    </message>
    <message>
        <source>Look up the name in the graph; it may have been removed by an edit or an optimisation.</source>
        <translation>Suche den Namen im Graphen; er kann durch eine Änderung oder Optimierung verschwunden sein.</translation>
    </message>
    <message>
        <source>Try again; if it comes back, copy this message with the model&apos;s name into a report.</source>
        <translation>Versuche es noch einmal; kommt es wieder, kopiere diese Meldung mit dem Namen des Modells in einen Bericht.</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Set their sizes in the bar below the stages, or fix them in Edit model.</source>
        <translation>Geben Sie ihre Größen in der Leiste unter den Stufen an, oder legen Sie sie in „Modell bearbeiten“ fest.</translation>
    </message>
    <message>
        <source>The nodes are unchanged; switch the pass off if results are wrong.</source>
        <translation>Die Knoten sind unverändert; schalten Sie den Durchgang aus, falls Ergebnisse falsch sind.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemsPanel</name>
    <message>
        <source>Copy all as text</source>
        <translation>Alles als Text kopieren</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>✓ No errors and no warnings.</source>
        <translation>✓ Keine Fehler und keine Warnungen.</translation>
    </message>
    <message>
        <source>Open a model: what is wrong with it is listed here.</source>
        <translation>Öffne ein Modell: Was daran nicht stimmt, wird hier aufgeführt.</translation>
    </message>
    <message>
        <source>Errors: %1</source>
        <translation>Fehler: %1</translation>
    </message>
    <message>
        <source>Warnings: %1</source>
        <translation>Warnungen: %1</translation>
    </message>
    <message>
        <source>Notes: %1</source>
        <translation>Hinweise: %1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>Was als Nächstes zu tun ist</translation>
    </message>
    <message>
        <source>Copied %1 lines</source>
        <translation>%1 Zeilen kopiert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProfilePage</name>
    <message>
        <source>Keep as baseline</source>
        <translation>Als Vergleichslauf behalten</translation>
    </message>
    <message>
        <source>Read a trace</source>
        <translation>Messung lesen</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Only significant differences</source>
        <translation>Nur signifikante Unterschiede</translation>
    </message>
    <message>
        <source>Later runs are compared with this one</source>
        <translation>Spätere Läufe werden mit diesem verglichen</translation>
    </message>
    <message>
        <source>A trace written by onnxruntime or by Cutaway; it can also be dropped here</source>
        <translation>Eine von onnxruntime oder Cutaway geschriebene Messung; man kann sie auch hierher ziehen</translation>
    </message>
    <message>
        <source>Swaps the baseline and the present run</source>
        <translation>Tauscht den Vergleichslauf und den jetzigen Lauf</translation>
    </message>
    <message>
        <source>Remove the baseline</source>
        <translation>Den Vergleichslauf entfernen</translation>
    </message>
    <message>
        <source>As the baseline …</source>
        <translation>Als Vergleichslauf …</translation>
    </message>
    <message>
        <source>As the present run: paint it on the graph …</source>
        <translation>Als jetziger Lauf: auf den Graphen malen …</translation>
    </message>
    <message>
        <source>Trace to compare with</source>
        <translation>Messung zum Vergleichen</translation>
    </message>
    <message>
        <source>Trace to paint on the graph</source>
        <translation>Messung zum Malen auf den Graphen</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>Keep this run as the baseline, change something (threads, executor, provider, a flag) and run again: the differences are shown here, and which of them are significant.</source>
        <translation>Behalte diesen Lauf als Vergleichslauf, ändere etwas (Threads, Ausführer, Provider, einen Schalter) und führe noch einmal aus: Hier stehen dann die Unterschiede und welche davon signifikant sind.</translation>
    </message>
    <message>
        <source>Run the model, or read a trace, to compare profiles.</source>
        <translation>Führe das Modell aus oder lies eine Messung, um Profile zu vergleichen.</translation>
    </message>
    <message>
        <source>The baseline is “%1”, median %2. Run again to compare.</source>
        <translation>Der Vergleichslauf ist „%1“, Median %2. Führe noch einmal aus, um zu vergleichen.</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Only nodes with significant differences</source>
        <translation>Nur Knoten mit signifikanten Unterschieden</translation>
    </message>
    <message>
        <source>Traces and device profiles (*.json *.csv);;All files (*)</source>
        <translation>Traces und Geräteprofile (*.json *.csv);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProviderPriorities</name>
    <message>
        <source>Providers by priority</source>
        <translation>Provider nach Priorität</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes claimed, and their share of all</source>
        <translation>Beanspruchte Knoten und ihr Anteil an allen</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Operations of the nodes claimed, and their share</source>
        <translation>Operationen der beanspruchten Knoten und ihr Anteil</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Compiled groups and other connected subgraphs</source>
        <translation>Kompilierte Gruppen und andere zusammenhängende Teilgraphen</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Nodes refused</source>
        <translation>Abgelehnte Knoten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>GetCapability + Compile</source>
        <translation>GetCapability + Compile</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RangeChip</name>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Steps %1–%2</source>
        <translation>Schritte %1–%2</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>schreibt %1</translation>
    </message>
    <message>
        <source>up to %1 live</source>
        <translation>bis zu %1 lebend</translation>
    </message>
    <message>
        <source>Range of steps</source>
        <translation>Bereich von Schritten</translation>
    </message>
    <message>
        <source>Show all steps</source>
        <translation>Alle Schritte zeigen</translation>
    </message>
    <message>
        <source>Show all steps (Esc)</source>
        <translation>Alle Schritte zeigen (Esc)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RealInputs</name>
    <message>
        <source>Random numbers</source>
        <translation>Zufallszahlen</translation>
    </message>
    <message>
        <source>to the input</source>
        <translation>auf die Eingabe</translation>
    </message>
    <message>
        <source>Shorter side in pixels</source>
        <translation>Kürzere Seite in Pixeln</translation>
    </message>
    <message>
        <source>Pictures are scaled until their shorter side has so many pixels</source>
        <translation>Bilder werden skaliert, bis ihre kürzere Seite so viele Pixel hat</translation>
    </message>
    <message>
        <source>the input&apos;s size</source>
        <translation>Größe der Eingabe</translation>
    </message>
    <message>
        <source>Square in the middle, in pixels</source>
        <translation>Quadrat in der Mitte, in Pixeln</translation>
    </message>
    <message>
        <source>Of the scaled picture only this square is taken</source>
        <translation>Vom skalierten Bild wird nur dieses Quadrat genommen</translation>
    </message>
    <message>
        <source>Mean of the channels</source>
        <translation>Mittelwert der Kanäle</translation>
    </message>
    <message>
        <source>Taken from every channel, whose numbers are 0 to 1: one for all or three, such as 0.485, 0.456, 0.406</source>
        <translation>Wird von jedem Kanal abgezogen, dessen Zahlen 0 bis 1 sind: eine für alle oder drei, etwa 0.485, 0.456, 0.406</translation>
    </message>
    <message>
        <source>Standard deviation of the channels</source>
        <translation>Standardabweichung der Kanäle</translation>
    </message>
    <message>
        <source>Every channel is divided by it: one for all or three, such as 0.229, 0.224, 0.225</source>
        <translation>Jeder Kanal wird dadurch geteilt: eine für alle oder drei, etwa 0.229, 0.224, 0.225</translation>
    </message>
    <message>
        <source>BGR</source>
        <translation>BGR</translation>
    </message>
    <message>
        <source>Choose files …</source>
        <translation>Dateien wählen …</translation>
    </message>
    <message>
        <source>Choose a folder …</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Input of the model that the files are for</source>
        <translation>Eingabe des Modells, für die die Dateien sind</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>Kanäle zuerst</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>Kanäle zuletzt</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Where the input&apos;s shape does not tell it</source>
        <translation>Wo die Form der Eingabe es nicht sagt</translation>
    </message>
    <message>
        <source>Blue is the first channel</source>
        <translation>Blau ist der erste Kanal</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>Inputs of the comparison</source>
        <translation>Eingaben des Vergleichs</translation>
    </message>
    <message>
        <source>Folder with inputs of the comparison</source>
        <translation>Ordner mit Eingaben des Vergleichs</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>Zufallszahlen</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <source>Pictures, sounds, numbers and tensors (*.png *.jpg *.jpeg *.bmp *.ppm *.wav *.txt *.npy *.pb)</source>
        <translation>Bilder, Töne, Zahlen und Tensoren (*.png *.jpg *.jpeg *.bmp *.ppm *.wav *.txt *.npy *.pb)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ResolvePanel</name>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Steps of the rule</source>
        <translation>Schritte der Regel</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Previous step of the rule</source>
        <translation>Voriger Schritt der Regel</translation>
    </message>
    <message>
        <source>Step of the rule</source>
        <translation>Schritt der Regel</translation>
    </message>
    <message>
        <source>Next step of the rule</source>
        <translation>Nächster Schritt der Regel</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Overridable initializers</source>
        <translation>Überschreibbare Initializer</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>Intermediates</source>
        <translation>Zwischenwerte</translation>
    </message>
    <message>
        <source>Read from outside</source>
        <translation>Von außen gelesen</translation>
    </message>
    <message>
        <source>Shapes known, symbolic, unknown</source>
        <translation>Formen bekannt, symbolisch, unbekannt</translation>
    </message>
    <message>
        <source>Open dimensions</source>
        <translation>Offene Dimensionen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Functions inlined</source>
        <translation>Eingebettete Funktionen</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>Weil</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>At node</source>
        <translation>Bei Knoten</translation>
    </message>
    <message>
        <source>%1 steps of the rule decided %2 of %3 values: follow them here.</source>
        <translation>%1 Schritte der Regel haben über %2 von %3 Werten entschieden: Hier lassen sie sich verfolgen.</translation>
    </message>
    <message>
        <source>%1 constant by their initializers</source>
        <translation>%1 sind durch ihren Initializer konstant</translation>
    </message>
    <message>
        <source>%1 made and read by nodes</source>
        <translation>%1 werden von Knoten erzeugt und gelesen</translation>
    </message>
    <message>
        <source>%1 of a graph around theirs</source>
        <translation>%1 gehören zu einem umgebenden Graphen</translation>
    </message>
    <message>
        <source>%1 used by nobody</source>
        <translation>%1 benutzt niemand</translation>
    </message>
    <message>
        <source>The others need no step: %1.</source>
        <translation>Die übrigen brauchen keinen Schritt: %1.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RewritePicture</name>
    <message>
        <source>Before and after the rewrite</source>
        <translation>Vor und nach der Umschreibung</translation>
    </message>
    <message>
        <source>Before: %1. After: %2. %3</source>
        <translation>Vorher: %1. Nachher: %2. %3</translation>
    </message>
    <message>
        <source>After optimising</source>
        <translation>Nach dem Optimieren</translation>
    </message>
    <message>
        <source>In the model</source>
        <translation>Im Modell</translation>
    </message>
    <message>
        <source>nothing is left of it</source>
        <translation>nichts davon ist übrig</translation>
    </message>
    <message>
        <source>nothing of the model</source>
        <translation>nichts aus dem Modell</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Select a rewrite to see the nodes before and after it side by side, and marked on the graph.</source>
        <translation>Wähle eine Umschreibung, um die Knoten davor und danach nebeneinander und im Graphen markiert zu sehen.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RulesPage</name>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Zeichen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Style rules, the first one that hits a node wins</source>
        <translation>Stilregeln; die erste, die einen Knoten trifft, gilt</translation>
    </message>
    <message>
        <source>Rules colour the nodes that a query hits.
Search on the graph (Ctrl+F), then add the search as a rule,
and colour the graph by “Style rules”.</source>
        <translation>Regeln färben die Knoten, die eine Anfrage trifft.
Suche im Graphen (Strg+F), mach aus der Suche eine Regel
und färbe den Graphen nach „Stilregeln“.</translation>
    </message>
    <message>
        <source>Earlier: it wins over the rules below</source>
        <translation>Früher: Sie gewinnt gegen die Regeln darunter</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Remove the rule</source>
        <translation>Regel entfernen</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Click to choose another colour</source>
        <translation>Klicken, um eine andere Farbe zu wählen</translation>
    </message>
    <message>
        <source>What the legend says; empty: the query</source>
        <translation>Was die Legende sagt; leer: die Anfrage</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>Regel hinzufügen</translation>
    </message>
    <message>
        <source>Add rule: %1</source>
        <translation>Regel hinzufügen: %1</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>Farbe %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunControls</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Time nodes</source>
        <translation>Knoten messen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Measure by runs or by seconds</source>
        <translation>Nach Läufen oder Sekunden messen</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>Nacheinander</translation>
    </message>
    <message>
        <source>Dataflow</source>
        <translation>Datenfluss</translation>
    </message>
    <message>
        <source>Sequential: one node after the other. Dataflow: nodes that do not depend on each other run at the same time.</source>
        <translation>Nacheinander: ein Knoten nach dem anderen. Datenfluss: Knoten, die nicht voneinander abhängen, laufen gleichzeitig.</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>Ausführer</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads of the session; 0: all cores</source>
        <translation>Threads der Sitzung; 0: alle Kerne</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Arbeiter</translation>
    </message>
    <message>
        <source>Nodes that may run at the same time; 0: automatic</source>
        <translation>Knoten, die gleichzeitig laufen dürfen; 0: automatisch</translation>
    </message>
    <message>
        <source>Inputs …</source>
        <translation>Eingaben …</translation>
    </message>
    <message>
        <source>Inputs, warm-ups, seed, workers and tag</source>
        <translation>Eingaben, Aufwärmläufe, Startwert, Arbeiter und Marke</translation>
    </message>
    <message>
        <source>Run the model (Ctrl+R)</source>
        <translation>Das Modell ausführen (Strg+R)</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>A word for this run, in its report and its trace</source>
        <translation>Ein Wort für diesen Lauf, in seinem Bericht und seiner Messung</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>Warm-ups</source>
        <translation>Aufwärmläufe</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Further inputs get random numbers.</source>
        <translation>Weitere Eingaben bekommen Zufallszahlen.</translation>
    </message>
    <message>
        <source>random numbers; or a .npy or .pb file</source>
        <translation>Zufallszahlen; oder eine Datei .npy oder .pb</translation>
    </message>
    <message>
        <source>File for input %1</source>
        <translation>Datei für Eingabe %1</translation>
    </message>
    <message>
        <source>File …</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <source>Choose a file for input %1</source>
        <translation>Datei für Eingabe %1 wählen</translation>
    </message>
    <message>
        <source>Values for an input</source>
        <translation>Werte für eine Eingabe</translation>
    </message>
    <message>
        <source>Tensors (*.npy *.pb);;All files (*)</source>
        <translation>Tensoren (*.npy *.pb);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunPanel</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Nodes (%1)</source>
        <translation>Knoten (%1)</translation>
    </message>
    <message>
        <source>Compare •</source>
        <translation>Vergleichen •</translation>
    </message>
    <message>
        <source>This model cannot run here: it has parts that were compiled for something else. Everything else about it is shown.</source>
        <translation>Dieses Modell kann hier nicht laufen: Teile davon wurden für etwas anderes kompiliert. Alles andere ist zu sehen.</translation>
    </message>
    <message>
        <source>Not run yet. Press Run (Ctrl+R): times are painted on the graph as soon as it has run.</source>
        <translation>Noch nicht ausgeführt. Drücke Ausführen (Strg+R): Sobald es lief, stehen die Zeiten im Graphen.</translation>
    </message>
    <message>
        <source>This run was not profiled. Choose “Time nodes” and run again.</source>
        <translation>Dieser Lauf wurde nicht gemessen. Wähle „Knoten messen“ und führe noch einmal aus.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN, Inf</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Why the run failed</source>
        <translation>Warum der Lauf fehlschlug</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>Der Lauf ist fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>The figures below are those of the run before.</source>
        <translation>Die Zahlen darunter sind die des vorherigen Laufs.</translation>
    </message>
    <message>
        <source>The run failed: there is nothing to show.</source>
        <translation>Der Lauf ist fehlgeschlagen: Es gibt nichts zu zeigen.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunView</name>
    <message>
        <source>(not in this model)</source>
        <translation>(nicht in diesem Modell)</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1, von %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>This call</source>
        <translation>Dieser Aufruf</translation>
    </message>
    <message>
        <source>%1, %2 of the run</source>
        <translation>%1, %2 des Laufs</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>Beginnt bei</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>, %1 calls</source>
        <translation>, %1 Aufrufe</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>%1, %2 GFLOP/s</source>
        <translation>%1, %2 GFLOP/s</translation>
    </message>
    <message>
        <source>Reads, writes</source>
        <translation>Liest, schreibt</translation>
    </message>
    <message>
        <source>%1, %2; %3 GB/s</source>
        <translation>%1, %2; %3 GB/s</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>From the arena</source>
        <translation>Aus der Arena</translation>
    </message>
    <message>
        <source>Median per run</source>
        <translation>Median je Lauf</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SchedulePanel</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Orders</source>
        <translation>Reihenfolgen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>, %1</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Critical path, share of work</source>
        <translation>Kritischer Pfad, Anteil an der Arbeit</translation>
    </message>
    <message>
        <source>%1 nodes%2</source>
        <translation>%1 Knoten%2</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Arbeiter</translation>
    </message>
    <message>
        <source>Max parallelism</source>
        <translation>Größte Parallelität</translation>
    </message>
    <message>
        <source>Peak live memory</source>
        <translation>Spitze des lebenden Speichers</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ScopeLayouts</name>
    <message>
        <source>%1 nodes are shown, and Graphviz is for fewer than %2: this is the layout of Cutaway.</source>
        <translation>%1 Knoten sind zu sehen, und Graphviz ist für weniger als %2: Dies ist das Layout von Cutaway.</translation>
    </message>
    <message>
        <source>Graphviz is not installed (package graphviz): this is the layout of Cutaway.</source>
        <translation>Graphviz ist nicht installiert (Paket graphviz): Dies ist das Layout von Cutaway.</translation>
    </message>
    <message>
        <source>Graphviz failed, so this is the layout of Cutaway: %1</source>
        <translation>Graphviz ist gescheitert, deshalb ist dies das Layout von Cutaway: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SelectionForm</name>
    <message>
        <source>This value is not in the model as loaded: an optimisation made it. Only what the file has can be edited.</source>
        <translation>Dieser Wert steht nicht im geladenen Modell: Eine Optimierung machte ihn. Nur was die Datei hat, lässt sich bearbeiten.</translation>
    </message>
    <message>
        <source>Select a node or a value to edit it.</source>
        <translation>Wähle einen Knoten oder Wert, um ihn zu bearbeiten.</translation>
    </message>
    <message>
        <source>This node was made while the model was read and cannot be edited.</source>
        <translation>Dieser Knoten entstand beim Lesen des Modells und lässt sich nicht bearbeiten.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>Überbrücken</translation>
    </message>
    <message>
        <source>Readers of its first output read its first input of the same type instead</source>
        <translation>Leser seiner ersten Ausgabe lesen stattdessen seine erste Eingabe desselben Typs</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Readers of its outputs read new inputs of the graph instead</source>
        <translation>Leser seiner Ausgaben lesen stattdessen neue Eingaben des Graphen</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>%1: %2, too large to be edited here</source>
        <translation>%1: %2, zu groß, um hier bearbeitet zu werden</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove from the outputs</source>
        <translation>Aus den Ausgaben entfernen</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>Zur Ausgabe machen</translation>
    </message>
    <message>
        <source>Outputs of the graph are what a run gives back</source>
        <translation>Ausgaben des Graphen sind, was ein Lauf zurückgibt</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>batch,3,224,224</source>
        <translation>batch,3,224,224</translation>
    </message>
    <message>
        <source>Edits of the selection</source>
        <translation>Änderungen der Auswahl</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SessionKeeper</name>
    <message>
        <source>Open a session</source>
        <translation>Eine Sitzung öffnen</translation>
    </message>
    <message>
        <source>Sessions (*.cutaway);;All files (*)</source>
        <translation>Sitzungen (*.cutaway);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The session was not opened: %1</source>
        <translation>Die Sitzung wurde nicht geöffnet: %1</translation>
    </message>
    <message>
        <source>The session is damaged and was renamed to %1. %2</source>
        <translation>Die Sitzung ist beschädigt und wurde in %1 umbenannt. %2</translation>
    </message>
    <message>
        <source>Session opened: %1</source>
        <translation>Sitzung geöffnet: %1</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Die Sitzung speichern</translation>
    </message>
    <message>
        <source>session.cutaway</source>
        <translation>sitzung.cutaway</translation>
    </message>
    <message>
        <source>Sessions (*.cutaway)</source>
        <translation>Sitzungen (*.cutaway)</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>Session saved: %1</source>
        <translation>Sitzung gespeichert: %1</translation>
    </message>
    <message>
        <source>Session not saved</source>
        <translation>Sitzung nicht gespeichert</translation>
    </message>
    <message>
        <source>What was saved before is still there, and nothing in the window is lost.</source>
        <translation>Was vorher gespeichert war, ist noch da, und im Fenster ist nichts verloren.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Save elsewhere …</source>
        <translation>Anderswo speichern …</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>The session %1 has changes that are not saved.</source>
        <translation>Die Sitzung %1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>Edits of %1 are not saved.</source>
        <translation>Änderungen an %1 sind nicht gespeichert.</translation>
    </message>
    <message>
        <source>A session keeps them; saving the model is in the panel of edits.</source>
        <translation>Eine Sitzung bewahrt sie; das Modell selbst speichert das Feld der Änderungen.</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Cutaway did not end properly. What was open can be restored: %1.</source>
        <translation>Cutaway wurde nicht ordentlich beendet. Was offen war, kann wiederhergestellt werden: %1.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The language changes when Cutaway is started again.</source>
        <translation>Die Sprache wechselt beim nächsten Start von Cutaway.</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Less motion: nothing glides or morphs</source>
        <translation>Weniger Bewegung: nichts gleitet oder verwandelt sich</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>scrolls, with Ctrl it zooms</source>
        <translation>rollt, mit Strg zoomt es</translation>
    </message>
    <message>
        <source>zooms, with Ctrl it scrolls</source>
        <translation>zoomt, mit Strg rollt es</translation>
    </message>
    <message>
        <source>from top to bottom</source>
        <translation>von oben nach unten</translation>
    </message>
    <message>
        <source>from left to right</source>
        <translation>von links nach rechts</translation>
    </message>
    <message>
        <source>Nodes are grouped</source>
        <translation>Knoten werden gruppiert</translation>
    </message>
    <message>
        <source>The next model that is opened</source>
        <translation>Das nächste Modell, das geöffnet wird</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>Threads of a run</source>
        <translation>Threads eines Laufs</translation>
    </message>
    <message>
        <source>Highest priority first, separated by commas, options in braces: openvino{device=CPU},cpu. Empty: cpu alone.</source>
        <translation>Höchste Priorität zuerst, durch Kommas getrennt, Optionen in Klammern: openvino{device=CPU},cpu. Leer: nur cpu.</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Read files again without asking when they change</source>
        <translation>Geänderte Dateien ohne Nachfrage neu lesen</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>Layout direction</source>
        <translation>Richtung des Layouts</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShapeTables</name>
    <message>
        <source>%1 at %2 to %3 at %4</source>
        <translation>%1 bei %2 bis %3 bei %4</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1 (simuliert)</translation>
    </message>
    <message>
        <source>run at %1</source>
        <translation>Lauf bei %1</translation>
    </message>
    <message>
        <source>%1 is not here</source>
        <translation>%1 ist nicht hier</translation>
    </message>
    <message>
        <source>median latency, simulated</source>
        <translation>mittlere Latenz (Median), simuliert</translation>
    </message>
    <message>
        <source>median latency</source>
        <translation>mittlere Latenz (Median)</translation>
    </message>
    <message>
        <source>Planned only: nothing was run.</source>
        <translation>Nur geplant: nichts wurde ausgeführt.</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>geplante Spitze</translation>
    </message>
    <message>
        <source>No peak is known: other dimensions are open.</source>
        <translation>Keine Spitze ist bekannt: andere Dimensionen sind offen.</translation>
    </message>
    <message>
        <source>simulated median %1</source>
        <translation>simulierter Median %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>planned peak %1</source>
        <translation>geplante Spitze %1</translation>
    </message>
    <message>
        <source>%1 without figures</source>
        <translation>%1 ohne Werte</translation>
    </message>
    <message>
        <source>%1 shapes: %2.</source>
        <translation>%1 Formen: %2.</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Planned peak</source>
        <translation>Geplante Spitze</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Left to the last provider</source>
        <translation>Dem letzten Provider überlassen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Anmerkung</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShapesPanel</name>
    <message>
        <source>Latency over shapes</source>
        <translation>Latenz über Formen</translation>
    </message>
    <message>
        <source>Planned peak over shapes</source>
        <translation>Geplante Spitze über Formen</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Figures over shapes</source>
        <translation>Werte über Formen</translation>
    </message>
    <message>
        <source>Write several sizes for a dimension in the bar under the ribbon, as in 1, 8, 32 or 1..32.</source>
        <translation>Schreiben Sie in der Leiste unter dem Stufenband mehrere Größen für eine Dimension, etwa 1, 8, 32 oder 1..32.</translation>
    </message>
    <message>
        <source>Shapes are being planned …</source>
        <translation>Formen werden geplant …</translation>
    </message>
    <message>
        <source>Each is a session of its own; cancelling leaves everything as it is.</source>
        <translation>Jede ist eine eigene Sitzung; beim Abbrechen bleibt alles, wie es ist.</translation>
    </message>
    <message>
        <source>How do latency and memory grow?</source>
        <translation>Wie wachsen Latenz und Speicher?</translation>
    </message>
    <message>
        <source>Plans the model for every combination of the sizes in the bar under the ribbon.</source>
        <translation>Plant das Modell für jede Kombination der Größen in der Leiste unter dem Stufenband.</translation>
    </message>
    <message>
        <source>Plan the shapes</source>
        <translation>Formen planen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingForm</name>
    <message>
        <source>Add …</source>
        <translation>Hinzufügen …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Browse …</source>
        <translation>Durchsuchen …</translation>
    </message>
    <message>
        <source>Replace existing files</source>
        <translation>Vorhandene Dateien ersetzen</translation>
    </message>
    <message>
        <source>Models that share</source>
        <translation>Modelle mit gemeinsamen Gewichten</translation>
    </message>
    <message>
        <source>The binary is named after the first model. Drag to order them.</source>
        <translation>Die Binärdatei heißt nach dem ersten Modell. Durch Ziehen lassen sie sich ordnen.</translation>
    </message>
    <message>
        <source>key=value, key=value</source>
        <translation>Schlüssel=Wert, Schlüssel=Wert</translation>
    </message>
    <message>
        <source>Options of the provider, such as precision=bf16</source>
        <translation>Optionen des Providers, etwa precision=bf16</translation>
    </message>
    <message>
        <source>Each model becomes its name with _ctx.onnx there, beside the binary of all.</source>
        <translation>Dort entsteht aus jedem Modell sein Name mit _ctx.onnx, neben der Binärdatei aller.</translation>
    </message>
    <message>
        <source>Options of the provider</source>
        <translation>Optionen des Providers</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;All files (*)</source>
        <translation>ONNX-Modelle (*.onnx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Write the context models to</source>
        <translation>Kontextmodelle schreiben nach</translation>
    </message>
    <message>
        <source>Add a second model: one alone shares with nobody.</source>
        <translation>Ein zweites Modell hinzufügen: Eines allein teilt mit niemandem.</translation>
    </message>
    <message>
        <source>No provider of this program can be used here.</source>
        <translation>Kein Provider dieses Programms ist hier benutzbar.</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>Den Ordner %1 gibt es nicht.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingPanel</name>
    <message>
        <source>The command of ep_weight_sharing_ctx_gen that does the same beside the models</source>
        <translation>Der Befehl von ep_weight_sharing_ctx_gen, der dasselbe neben den Modellen tut</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Compile again</source>
        <translation>Erneut kompilieren</translation>
    </message>
    <message>
        <source>Files written</source>
        <translation>Geschriebene Dateien</translation>
    </message>
    <message>
        <source>The models are being compiled …</source>
        <translation>Die Modelle werden kompiliert …</translation>
    </message>
    <message>
        <source>One after the other; all of them are written at the end, and nothing when you cancel.</source>
        <translation>Eines nach dem anderen; alle werden am Ende geschrieben, bei Abbruch keines.</translation>
    </message>
    <message>
        <source>One binary for several models</source>
        <translation>Eine Binärdatei für mehrere Modelle</translation>
    </message>
    <message>
        <source>Compiles the models one after the other and writes context models that keep what they have in common once.</source>
        <translation>Kompiliert die Modelle nacheinander und schreibt Kontextmodelle, die Gemeinsames nur einmal ablegen.</translation>
    </message>
    <message>
        <source>Compile and write</source>
        <translation>Kompilieren und schreiben</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingRows</name>
    <message>
        <source>Nothing was compiled, so nothing was written.</source>
        <translation>Nichts wurde kompiliert, also auch nichts geschrieben.</translation>
    </message>
    <message>
        <source>Models written: %1, binaries: %2. %3 are kept once instead of several times.</source>
        <translation>Geschriebene Modelle: %1, Binärdateien: %2. %3 liegen einmal statt mehrfach.</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search for a key or for what it does</source>
        <translation>Nach einer Taste suchen oder nach dem, was sie tut</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>Was sie tun</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Writes the sheet as PDF</source>
        <translation>Schreibt das Blatt als PDF</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Print into a PDF</source>
        <translation>In ein PDF drucken</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SlicePage</name>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Go to 0,2,17</source>
        <translation>Gehe zu 0,2,17</translation>
    </message>
    <message>
        <source>Go to an element</source>
        <translation>Zu einem Element gehen</translation>
    </message>
    <message>
        <source>An index for every axis, or one number that counts all elements</source>
        <translation>Ein Index für jede Achse, oder eine Zahl, die alle Elemente zählt</translation>
    </message>
    <message>
        <source>Rows before</source>
        <translation>Zeilen davor</translation>
    </message>
    <message>
        <source>Rows after</source>
        <translation>Zeilen danach</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>There is no such element in %1</source>
        <translation>Ein solches Element gibt es in %1 nicht</translation>
    </message>
    <message>
        <source>axis %1 (%2)</source>
        <translation>Achse %1 (%2)</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>Achse %1: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index auf Achse %1</translation>
    </message>
    <message>
        <source>no elements</source>
        <translation>keine Elemente</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>rows %1 – %2 of %3</source>
        <translation>Zeilen %1 – %2 von %3</translation>
    </message>
    <message>
        <source>, columns %1 – %2 of %3</source>
        <translation>, Spalten %1 – %2 von %3</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StagePanel</name>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>What if •</source>
        <translation>Was wäre wenn •</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StageRibbon</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>working …</source>
        <translation>arbeitet …</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>noch nicht gelaufen</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>läuft hier nicht</translation>
    </message>
    <message>
        <source>exporting …</source>
        <translation>exportiert …</translation>
    </message>
    <message>
        <source>export failed</source>
        <translation>Export gescheitert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StageWaiting</name>
    <message>
        <source>%1 is running</source>
        <translation>%1 läuft</translation>
    </message>
    <message>
        <source>%1 comes later</source>
        <translation>%1 kommt später</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancelled before %1</source>
        <translation>Vor %1 abgebrochen</translation>
    </message>
    <message>
        <source>What was done until then is shown.</source>
        <translation>Was bis dahin fertig war, ist zu sehen.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 ist gescheitert</translation>
    </message>
    <message>
        <source>%1 was not reached</source>
        <translation>%1 wurde nicht erreicht</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StartPage</name>
    <message>
        <source>See what inference does with your model</source>
        <translation>Sieh, was Inferenz mit deinem Modell macht</translation>
    </message>
    <message>
        <source>Drop an .onnx file here. Cutaway shows every stage, from the file to the finished run.</source>
        <translation>Zieh eine .onnx-Datei hierher. Cutaway zeigt jede Stufe, von der Datei bis zum fertigen Lauf.</translation>
    </message>
    <message>
        <source>Open a model …</source>
        <translation>Modell öffnen …</translation>
    </message>
    <message>
        <source>Sample models: small networks that read handwritten digits</source>
        <translation>Beispielmodelle: kleine Netze, die handgeschriebene Ziffern lesen</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>%1 no longer exists; click to remove it from the list</source>
        <translation>%1 gibt es nicht mehr; ein Klick entfernt es aus der Liste</translation>
    </message>
    <message>
        <source>open</source>
        <translation>öffnen</translation>
    </message>
    <message>
        <source>find any command</source>
        <translation>jeden Befehl finden</translation>
    </message>
    <message>
        <source>all keys</source>
        <translation>alle Tasten</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StationCard</name>
    <message>
        <source>Go to this stage; the selection stays</source>
        <translation>Zu dieser Stufe gehen; die Auswahl bleibt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StatisticsPage</name>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Statistics of the tensor</source>
        <translation>Statistik des Tensors</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinstes</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größtes</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>Standardabweichung</translation>
    </message>
    <message>
        <source>Median, about</source>
        <translation>Median, etwa</translation>
    </message>
    <message>
        <source>Mean of magnitudes</source>
        <translation>Mittel der Beträge</translation>
    </message>
    <message>
        <source>Euclidean norm</source>
        <translation>Euklidische Norm</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>Unendlich</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StatisticsStrip</name>
    <message>
        <source>Statistics of the runs</source>
        <translation>Statistik der Läufe</translation>
    </message>
    <message>
        <source>Deviation: %1</source>
        <translation>Abweichung: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StepTimeline</name>
    <message>
        <source>By step</source>
        <translation>Nach Schritt</translation>
    </message>
    <message>
        <source>Every step as long as any other</source>
        <translation>Jeder Schritt so lang wie jeder andere</translation>
    </message>
    <message>
        <source>By cost</source>
        <translation>Nach Kosten</translation>
    </message>
    <message>
        <source>Every step as long as its node takes</source>
        <translation>Jeder Schritt so lang, wie sein Knoten braucht</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Timeline of steps</source>
        <translation>Zeitleiste der Schritte</translation>
    </message>
    <message>
        <source>%1 of work in %2</source>
        <translation>%1 Arbeit in %2</translation>
    </message>
    <message>
        <source>a lane per worker</source>
        <translation>eine Bahn je Arbeiter</translation>
    </message>
    <message>
        <source>a lane per stream</source>
        <translation>eine Bahn je Stream</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StoryPanel</name>
    <message>
        <source>Select a node or a value, in any stage,
to follow it through all of them.</source>
        <translation>Wähle einen Knoten oder Wert, in einer beliebigen Stufe,
um ihm durch alle zu folgen.</translation>
    </message>
    <message>
        <source>Story of the selection</source>
        <translation>Geschichte der Auswahl</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StudyJob</name>
    <message>
        <source>Open a model first.</source>
        <translation>Öffne zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Only the provider that takes every node is chosen: put another one before it in the settings.</source>
        <translation>Gewählt ist nur der Provider, der jeden Knoten nimmt: Stellen Sie in den Einstellungen einen anderen davor.</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Beginnt …</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StudyPanel</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>Erneut suchen</translation>
    </message>
    <message>
        <source>The model or its settings have changed since.</source>
        <translation>Das Modell oder seine Einstellungen haben sich seitdem geändert.</translation>
    </message>
    <message>
        <source>There is no answer</source>
        <translation>Es gibt keine Antwort</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Save the changed copy</source>
        <translation>Geänderte Kopie speichern</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;All files (*)</source>
        <translation>ONNX-Modelle (*.onnx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1 is the model that is open. Choose another name for the copy.</source>
        <translation>%1 ist das geöffnete Modell. Wählen Sie einen anderen Namen für die Kopie.</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SupportPanel</name>
    <message>
        <source>Makes the chosen provider the first of this model&apos;s list</source>
        <translation>Setzt den gewählten Provider an die erste Stelle der Liste dieses Modells</translation>
    </message>
    <message>
        <source>Put it first</source>
        <translation>An die erste Stelle</translation>
    </message>
    <message>
        <source>Support by provider</source>
        <translation>Unterstützung je Provider</translation>
    </message>
    <message>
        <source>%1 is asked first now.</source>
        <translation>%1 wird jetzt zuerst gefragt.</translation>
    </message>
    <message>
        <source>Providers are being asked …</source>
        <translation>Provider werden gefragt …</translation>
    </message>
    <message>
        <source>Each is asked about every node; nothing is compiled or run.</source>
        <translation>Jeder wird nach jedem Knoten gefragt; nichts wird kompiliert oder ausgeführt.</translation>
    </message>
    <message>
        <source>Where would this model run?</source>
        <translation>Wo würde dieses Modell laufen?</translation>
    </message>
    <message>
        <source>Asks every provider and every support profile which nodes of this model it takes.</source>
        <translation>Fragt jeden Provider und jedes Unterstützungsprofil, welche Knoten dieses Modells es übernimmt.</translation>
    </message>
    <message>
        <source>Ask all providers</source>
        <translation>Alle Provider fragen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SupportTables</name>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>answers, cannot run here</source>
        <translation>antwortet, läuft hier nicht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of the known</source>
        <translation>%1 der bekannten</translation>
    </message>
    <message>
        <source>No provider gave an answer.</source>
        <translation>Kein Provider hat geantwortet.</translation>
    </message>
    <message>
        <source>All nodes are taken by: %1.</source>
        <translation>Alle Knoten übernehmen: %1.</translation>
    </message>
    <message>
        <source>%1 takes most: %2 nodes. None takes all.</source>
        <translation>%1 übernimmt am meisten: %2 Knoten. Keiner übernimmt alle.</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>That it takes when it is asked alone, before the provider that takes the rest</source>
        <translation>Die er übernimmt, wenn er allein vor dem Provider gefragt wird, der den Rest nimmt</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Its share of the FLOPs of nodes whose sizes are known</source>
        <translation>Sein Anteil an den FLOPs der Knoten, deren Größen bekannt sind</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>Most frequent refusal</source>
        <translation>Häufigste Ablehnung</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepGrid</name>
    <message>
        <source>Models and configurations</source>
        <translation>Modelle und Konfigurationen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepPage</name>
    <message>
        <source>Dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>Sizes, separated by commas</source>
        <translation>Größen, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Sizes, separated by commas; at most %1</source>
        <translation>Größen, durch Kommas getrennt; höchstens %1</translation>
    </message>
    <message>
        <source>Peak over sizes</source>
        <translation>Spitze über den Größen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Plan sizes</source>
        <translation>Größen planen</translation>
    </message>
    <message>
        <source>Sizes are whole numbers from 1 on, separated by commas, at most %1 of them.</source>
        <translation>Größen sind ganze Zahlen ab 1, durch Kommas getrennt, höchstens %1.</translation>
    </message>
    <message>
        <source>Planning …</source>
        <translation>Plant …</translation>
    </message>
    <message>
        <source>How does memory grow? Plans the model for every size of a dimension, without running it.</source>
        <translation>Wie wächst der Speicher? Plant das Modell für jede Größe einer Dimension, ohne es auszuführen.</translation>
    </message>
    <message>
        <source>The model has no open dimension. Open it without binding one to sweep over its sizes.</source>
        <translation>Das Modell hat keine offene Dimension. Öffne es, ohne eine zu binden, um über ihre Größen zu gehen.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepTab</name>
    <message>
        <source>What cells show</source>
        <translation>Was Zellen zeigen</translation>
    </message>
    <message>
        <source>Version of the program</source>
        <translation>Version des Programms</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Open model in this configuration</source>
        <translation>Modell in dieser Konfiguration öffnen</translation>
    </message>
    <message>
        <source>Details of the cell</source>
        <translation>Einzelheiten der Zelle</translation>
    </message>
    <message>
        <source>Reading the sweep …</source>
        <translation>Der Sweep wird gelesen …</translation>
    </message>
    <message>
        <source>The sweep could not be read</source>
        <translation>Der Sweep konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Compared with nothing</source>
        <translation>Mit nichts verglichen</translation>
    </message>
    <message>
        <source>Beside %1</source>
        <translation>Neben %1</translation>
    </message>
    <message>
        <source>Beside another file …</source>
        <translation>Neben einer anderen Datei …</translation>
    </message>
    <message>
        <source>Results to compare with</source>
        <translation>Ergebnisse zum Vergleichen</translation>
    </message>
    <message>
        <source>Results of a sweep (*.sqlite);;All files (*)</source>
        <translation>Ergebnisse eines Sweeps (*.sqlite);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1 models × %2 configurations, %3 jobs</source>
        <translation>%1 Modelle × %2 Konfigurationen, %3 Jobs</translation>
    </message>
    <message>
        <source>%1 open</source>
        <translation>%1 offen</translation>
    </message>
    <message>
        <source>%1 worse, %2 better of %3 compared</source>
        <translation>%1 schlechter, %2 besser von %3 verglichenen</translation>
    </message>
    <message>
        <source>Choose what to compare with.</source>
        <translation>Wählen Sie, womit verglichen wird.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Teller</name>
    <message>
        <source>value, %1</source>
        <translation>Wert, %1</translation>
    </message>
    <message>
        <source>type not known</source>
        <translation>Typ nicht bekannt</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>made of %1 original nodes</source>
        <translation>aus %1 ursprünglichen Knoten gemacht</translation>
    </message>
    <message>
        <source>A value of the model</source>
        <translation>Ein Wert des Modells</translation>
    </message>
    <message>
        <source>Not in the model</source>
        <translation>Nicht im Modell</translation>
    </message>
    <message>
        <source>A rewrite or a copy between devices made this value.</source>
        <translation>Eine Umschreibung oder eine Kopie zwischen Geräten machte diesen Wert.</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>Rolle: %1</translation>
    </message>
    <message>
        <source>It does not exist after optimisation: the node that made it was fused or folded.</source>
        <translation>Nach dem Optimieren gibt es ihn nicht mehr: Der Knoten, der ihn erzeugte, wurde verschmolzen oder gefaltet.</translation>
    </message>
    <message>
        <source>One node of the model</source>
        <translation>Ein Knoten des Modells</translation>
    </message>
    <message>
        <source>%1 nodes of the model</source>
        <translation>%1 Knoten des Modells</translation>
    </message>
    <message>
        <source>No node of the model</source>
        <translation>Kein Knoten des Modells</translation>
    </message>
    <message>
        <source>A later stage made it, see below.</source>
        <translation>Eine spätere Stufe hat ihn erzeugt, siehe unten.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Not rewritten</source>
        <translation>Nicht umgeschrieben</translation>
    </message>
    <message>
        <source>Rewritten by %1</source>
        <translation>Umgeschrieben von %1</translation>
    </message>
    <message>
        <source>Rewritten %1 times</source>
        <translation>%1-mal umgeschrieben</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>It ends here</source>
        <translation>Hier endet er</translation>
    </message>
    <message>
        <source>It was removed: nothing reads its outputs.</source>
        <translation>Er wurde entfernt: Nichts liest seine Ausgaben.</translation>
    </message>
    <message>
        <source>Removed by %1</source>
        <translation>Entfernt von %1</translation>
    </message>
    <message>
        <source>Folded into %1 by %2</source>
        <translation>Gefaltet in %1 von %2</translation>
    </message>
    <message>
        <source>No provider claimed it</source>
        <translation>Kein Provider hat ihn beansprucht</translation>
    </message>
    <message>
        <source>Assigned to %1</source>
        <translation>%1 zugewiesen</translation>
    </message>
    <message>
        <source>In a compiled group of %1 nodes: %2</source>
        <translation>In einer kompilierten Gruppe aus %1 Knoten: %2</translation>
    </message>
    <message>
        <source>In a subgraph of %1 nodes</source>
        <translation>In einem Teilgraphen aus %1 Knoten</translation>
    </message>
    <message>
        <source>and %1 more nodes</source>
        <translation>und %1 weitere Knoten</translation>
    </message>
    <message>
        <source>not in the model: created by %1</source>
        <translation>nicht im Modell: erzeugt von %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TensorController</name>
    <message>
        <source>This window was built without reading models.</source>
        <translation>Dieses Fenster wurde ohne das Lesen von Modellen gebaut.</translation>
    </message>
    <message>
        <source>The model has no value of this name in this graph.</source>
        <translation>Das Modell hat in diesem Graphen keinen Wert dieses Namens.</translation>
    </message>
    <message>
        <source>The model is not ready to run yet: a run is needed to keep the value.</source>
        <translation>Das Modell ist noch nicht bereit zum Lauf: Ein Lauf ist nötig, um den Wert zu behalten.</translation>
    </message>
    <message>
        <source>This model cannot run here; it can only be inspected.</source>
        <translation>Dieses Modell kann hier nicht laufen; man kann es nur ansehen.</translation>
    </message>
    <message>
        <source>There is no model to run: this is a report only.</source>
        <translation>Es gibt kein Modell auszuführen: Dies ist nur ein Bericht.</translation>
    </message>
    <message>
        <source>The value is inside a body or function, which may run many times or not at all; only values of the main graph are kept by a run.</source>
        <translation>Der Wert liegt in einem Rumpf oder einer Funktion, die oft oder gar nicht laufen mag; ein Lauf behält nur Werte des Hauptgraphen.</translation>
    </message>
    <message>
        <source>The value is gone after optimising and fusing: no kernel writes it to memory. Open the model with level 0 and the CPU provider alone to see it.</source>
        <translation>Der Wert ist nach Optimieren und Verschmelzen fort: Kein Kernel schreibt ihn in den Speicher. Öffne das Modell mit Stufe 0 und nur dem CPU-Provider, um ihn zu sehen.</translation>
    </message>
    <message>
        <source>Nothing reads the value, so no run makes it.</source>
        <translation>Niemand liest den Wert, also erzeugt ihn kein Lauf.</translation>
    </message>
    <message>
        <source>The engine is busy: the value can be fetched when it is done.</source>
        <translation>Die Engine arbeitet: Der Wert kann geholt werden, wenn sie fertig ist.</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>%1 wird geholt</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TensorPanel</name>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Keep this tensor and subtract it from others</source>
        <translation>Diesen Tensor behalten und von anderen abziehen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Fetching</source>
        <translation>Wird geholt</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Noch einmal ausführen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Run and keep it</source>
        <translation>Ausführen und behalten</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>%1 wird geholt</translation>
    </message>
    <message>
        <source>It could not be fetched</source>
        <translation>Er ließ sich nicht holen</translation>
    </message>
    <message>
        <source>Choose a value on the graph, or a node: its weights and what it makes can be looked at here.</source>
        <translation>Wähle einen Wert im Graphen, oder einen Knoten: Seine Gewichte und was er erzeugt sind hier zu sehen.</translation>
    </message>
    <message>
        <source>It is computed when the model runs: one run with the inputs of the run panel keeps it.</source>
        <translation>Er wird berechnet, wenn das Modell läuft: Ein Lauf mit den Eingaben des Lauffelds behält ihn.</translation>
    </message>
    <message>
        <source>A weight in the file, not read yet because it is large.</source>
        <translation>Ein Gewicht in der Datei, noch nicht gelesen, weil es groß ist.</translation>
    </message>
    <message>
        <source>The model runs once.</source>
        <translation>Das Modell läuft einmal.</translation>
    </message>
    <message>
        <source>Read from the file, then counted for the statistics.</source>
        <translation>Aus der Datei gelesen, dann für die Statistik gezählt.</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>Werte kopieren</translation>
    </message>
    <message>
        <source>Save as .npy …</source>
        <translation>Als .npy speichern …</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Save picture, a pixel an element …</source>
        <translation>Bild speichern, ein Pixel je Element …</translation>
    </message>
    <message>
        <source>Export what is seen …</source>
        <translation>Exportieren, was zu sehen ist …</translation>
    </message>
    <message>
        <source>Save tensor</source>
        <translation>Tensor speichern</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy-Array (*.npy)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Cannot write %1: choose another folder</source>
        <translation>%1 lässt sich nicht schreiben: Wähle einen anderen Ordner</translation>
    </message>
    <message>
        <source>Show the values again</source>
        <translation>Werte wieder zeigen</translation>
    </message>
    <message>
        <source>Keep this one for comparing</source>
        <translation>Diesen zum Vergleichen behalten</translation>
    </message>
    <message>
        <source>Difference from %1</source>
        <translation>Unterschied zu %1</translation>
    </message>
    <message>
        <source>Choose another value to compare with %1</source>
        <translation>Wähle einen anderen Wert, um ihn mit %1 zu vergleichen</translation>
    </message>
    <message>
        <source>%1 has another shape</source>
        <translation>%1 hat eine andere Form</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>%1 vergessen</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TermReader</name>
    <message>
        <source>There is no field “%1”. Put the word in quotes to look for it as it stands.</source>
        <translation>Es gibt kein Feld „%1“. Setze das Wort in Anführungszeichen, um es so zu suchen, wie es dasteht.</translation>
    </message>
    <message>
        <source>The expression is not complete: %1, at character %2.</source>
        <translation>Der Ausdruck ist nicht vollständig: %1, bei Zeichen %2.</translation>
    </message>
    <message>
        <source>After “%1” comes :, =, &lt; or &gt;.</source>
        <translation>Nach „%1“ kommt :, =, &lt; oder &gt;.</translation>
    </message>
    <message>
        <source>“%1” is not a number for %2; units are %3.</source>
        <translation>„%1“ ist keine Zahl für %2; Einheiten sind %3.</translation>
    </message>
    <message>
        <source>“%1” is text: it takes :, = or !=.</source>
        <translation>„%1“ ist Text: Es nimmt :, = oder !=.</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Timeline</name>
    <message>
        <source>Timeline of spans</source>
        <translation>Zeitleiste der Abschnitte</translation>
    </message>
    <message>
        <source>W and S zoom, A and D move, period and comma step through the spans, M marks, R makes a range, F centres, 0 shows all, Escape clears the range</source>
        <translation>W und S zoomen, A und D bewegen, Punkt und Komma gehen durch die Abschnitte, M setzt eine Marke, R macht einen Bereich, F rückt in die Mitte, 0 zeigt alles, Esc löscht den Bereich</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TimelinePage</name>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Colours of the timeline</source>
        <translation>Farben der Zeitleiste</translation>
    </message>
    <message>
        <source>Memory that the session holds</source>
        <translation>Speicher, den die Sitzung hält</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Colour the spans by %1</source>
        <translation>Abschnitte färben nach %1</translation>
    </message>
    <message>
        <source>Keys of the timeline</source>
        <translation>Tasten der Zeitleiste</translation>
    </message>
    <message>
        <source>Zoom in (W, +)</source>
        <translation>Vergrößern (W, +)</translation>
    </message>
    <message>
        <source>Zoom out (S, −)</source>
        <translation>Verkleinern (S, −)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>All of the run (0, double click)</source>
        <translation>Der ganze Lauf (0, Doppelklick)</translation>
    </message>
    <message>
        <source>%1, %2 busy, %3</source>
        <translation>%1, %2 beschäftigt, %3</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Ran between %1 and %2</source>
        <translation>Lief zwischen %1 und %2</translation>
    </message>
    <message>
        <source>Ctrl+wheel or W and S: zoom at the pointer
Drag: choose a range; graph and tables show what ran in it
Shift+drag or A and D: move
Click: select the node and go to its step; double click or 0: all of the run
. and ,: next and previous span; F: centre it, then fit it
M: mark; R: range of the span, or between the last two marks
Esc: clear the range or the selection</source>
        <translation>Strg+Rad oder W und S: Zoom am Zeiger
Ziehen: Bereich wählen; Graph und Tabellen zeigen, was darin lief
Umschalt+Ziehen oder A und D: bewegen
Klick: den Knoten wählen und zu seinem Schritt gehen; Doppelklick oder 0: der ganze Lauf
. und ,: nächster und voriger Abschnitt; F: in die Mitte rücken, dann einpassen
M: Marke; R: Bereich des Abschnitts oder zwischen den letzten zwei Marken
Esc: Bereich oder Auswahl aufheben</translation>
    </message>
    <message>
        <source>Whose memory is shown</source>
        <translation>Wessen Speicher gezeigt wird</translation>
    </message>
    <message>
        <source>Whose memory the chart below the lanes shows</source>
        <translation>Wessen Speicher das Diagramm unter den Spuren zeigt</translation>
    </message>
    <message>
        <source>Memory of %1</source>
        <translation>Speicher von %1</translation>
    </message>
    <message>
        <source>%1. Bars are medians of the runs</source>
        <translation>%1. Balken sind Mediane der Läufe</translation>
    </message>
    <message>
        <source>Fastest run: %1</source>
        <translation>Schnellster Lauf: %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Tour</name>
    <message>
        <source>cannot make the folder %1</source>
        <translation>Ordner %1 lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>the tour took too long</source>
        <translation>die Tour dauerte zu lange</translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation>%1 lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>%1 could not be read</source>
        <translation>%1 konnte nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TruthWords</name>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>partial</source>
        <translation>teilweise</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werten</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffern</translation>
    </message>
    <message>
        <source>an arena played the plan&apos;s requests</source>
        <translation>eine Arena spielte die Anforderungen des Plans nach</translation>
    </message>
    <message>
        <source>the critical path, by operations and bytes of nodes; steps are exact</source>
        <translation>der kritische Pfad, nach Operationen und Bytes der Knoten; Schritte sind exakt</translation>
    </message>
    <message>
        <source>the critical path, every node counted alike because sizes are open; steps are exact</source>
        <translation>der kritische Pfad, jeder Knoten gleich gezählt, weil Größen offen sind; Schritte sind exakt</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1, all between %2 and %3</source>
        <translation>%1, alle zwischen %2 und %3</translation>
    </message>
    <message>
        <source>%1, median between %2 and %3</source>
        <translation>%1, Median zwischen %2 und %3</translation>
    </message>
    <message>
        <source>%1: %2 of %3 %4 have a size before running</source>
        <translation>%1: %2 von %3 %4 haben vor dem Lauf eine Größe</translation>
    </message>
    <message>
        <source>%1: %2 is not here, CPU kernels or a simulator ran in its place</source>
        <translation>%1: %2 ist nicht hier, CPU-Kernel oder ein Simulator liefen an dessen Stelle</translation>
    </message>
    <message>
        <source>%1 elsewhere: %2</source>
        <translation>anderswo %1: %2</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1, bei %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ValuePage</name>
    <message>
        <source>Select a value in the table, or a node on the graph, to see which buffer it lives in and why.</source>
        <translation>Wähle einen Wert in der Tabelle oder einen Knoten im Graphen, um zu sehen, in welchem Puffer er lebt und warum.</translation>
    </message>
    <message>
        <source>Why this value lives in this buffer</source>
        <translation>Warum dieser Wert in diesem Puffer lebt</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WalkSettings</name>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Model settings – %1</source>
        <translation>Modelleinstellungen – %1</translation>
    </message>
    <message>
        <source>The same as a command line</source>
        <translation>Dasselbe als Befehlszeile</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>Providers by priority</source>
        <translation>Provider nach Priorität</translation>
    </message>
    <message>
        <source>Checked providers are used, highest priority first; options in braces: openvino{device=CPU}</source>
        <translation>Angekreuzte Provider werden verwendet, höchste Priorität zuerst; Optionen in Klammern: openvino{device=CPU}</translation>
    </message>
    <message>
        <source>Providers by priority; nodes that none of them claims go to cpu</source>
        <translation>Provider nach Priorität; Knoten, die keiner beansprucht, gehen an cpu</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Ab</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>one node after another</source>
        <translation>ein Knoten nach dem anderen</translation>
    </message>
    <message>
        <source>independent nodes at the same time</source>
        <translation>unabhängige Knoten gleichzeitig</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>by priority</source>
        <translation>nach Priorität</translation>
    </message>
    <message>
        <source>least memory first</source>
        <translation>wenigster Speicher zuerst</translation>
    </message>
    <message>
        <source>first in, first out</source>
        <translation>wie sie bereit werden</translation>
    </message>
    <message>
        <source>Cutaway&apos;s rules</source>
        <translation>Regeln von Cutaway</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s rules</source>
        <translation>Regeln von onnxruntime</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Optimisation level</source>
        <translation>Optimierungsstufe</translation>
    </message>
    <message>
        <source>Smallest group to compile</source>
        <translation>Kleinste Gruppe zum Kompilieren</translation>
    </message>
    <message>
        <source>Execution order</source>
        <translation>Ausführungsreihenfolge</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>Executor</translation>
    </message>
    <message>
        <source>Threads of a run</source>
        <translation>Threads eines Laufs</translation>
    </message>
    <message>
        <source>Workers of the executor</source>
        <translation>Arbeiter des Executors</translation>
    </message>
    <message>
        <source>Memory planning</source>
        <translation>Speicherplanung</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>No provider is checked.</source>
        <translation>Kein Provider ist angekreuzt.</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s default</source>
        <translation>Vorgabe von onnxruntime</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s rules for training</source>
        <translation>Regeln von onnxruntime fürs Training</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfDraft</name>
    <message>
        <source>uses %1</source>
        <translation>%1 verwendet</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 unpinned</source>
        <translation>%1 nicht mehr festgelegt</translation>
    </message>
    <message>
        <source>groups of at least %1</source>
        <translation>Gruppen aus mindestens %1</translation>
    </message>
    <message>
        <source>settings of the file that was loaded</source>
        <translation>Einstellungen der geladenen Datei</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfPage</name>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>Loaded %1</source>
        <translation>%1 geladen</translation>
    </message>
    <message>
        <source>Copied %1 lines of settings</source>
        <translation>%1 Zeilen Einstellungen kopiert</translation>
    </message>
    <message>
        <source>Run both</source>
        <translation>Beide messen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>Also compile both and run each %1 times on random inputs</source>
        <translation>Auch beide kompilieren und je %1-mal auf Zufallseingaben ausführen</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Save configuration</source>
        <translation>Konfiguration speichern</translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation>Konfigurationen (*.json)</translation>
    </message>
    <message>
        <source>Load …</source>
        <translation>Laden …</translation>
    </message>
    <message>
        <source>Load configuration</source>
        <translation>Konfiguration laden</translation>
    </message>
    <message>
        <source>Configurations (*.json);;All files (*)</source>
        <translation>Konfigurationen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Copy the equivalent onnxruntime settings</source>
        <translation>Die entsprechenden Einstellungen für onnxruntime kopieren</translation>
    </message>
    <message>
        <source>Moved (%1)</source>
        <translation>Bewegt (%1)</translation>
    </message>
    <message>
        <source>Copies (+%1 −%2)</source>
        <translation>Kopien (+%1 −%2)</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Both configurations as two graphs that move together; differences are coloured</source>
        <translation>Beide Konfigurationen als zwei Graphen, die sich gemeinsam bewegen; Unterschiede sind farbig</translation>
    </message>
</context>
</TS>
