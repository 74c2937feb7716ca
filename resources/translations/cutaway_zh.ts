<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>BlockNames</name>
    <message>
        <source>transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>upsampling</source>
        <translation>上采样</translation>
    </message>
    <message>
        <source>squeeze and excite</source>
        <translation>挤压激励</translation>
    </message>
    <message>
        <source>residual convolution</source>
        <translation>残差卷积</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>shape arithmetic</source>
        <translation>形状运算</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
</context>
<context>
    <name>CardContents</name>
    <message>
        <source>copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>copy %1</source>
        <translation>拷贝 %1</translation>
    </message>
</context>
<context>
    <name>CardPainter</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Group of %n nodes</source>
        <translation>
            <numerusform>%n 个节点的组</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportJob</name>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The export failed; nothing was changed.</source>
        <translation>导出失败；未作任何更改。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Write elsewhere …</source>
        <translation>写到别处…</translation>
    </message>
</context>
<context>
    <name>FindQuery</name>
    <message>
        <source>name of the node</source>
        <translation>节点名称</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>operator domain</source>
        <translation>算子的域</translation>
    </message>
    <message>
        <source>provider that runs it</source>
        <translation>运行它的 Provider</translation>
    </message>
    <message>
        <source>cause or reason of the first provider</source>
        <translation>首个 Provider 的原因或理由</translation>
    </message>
    <message>
        <source>pass that changed it</source>
        <translation>改变它的优化遍</translation>
    </message>
    <message>
        <source>compiled group</source>
        <translation>编译组</translation>
    </message>
    <message>
        <source>element type of an input or output</source>
        <translation>输入或输出的元素类型</translation>
    </message>
    <message>
        <source>shape of an input or output; * is any dimension, ... any number of them</source>
        <translation>输入或输出的形状；* 为任意一维，... 为任意多维</translation>
    </message>
    <message>
        <source>attribute, and its value</source>
        <translation>属性及其值</translation>
    </message>
    <message>
        <source>name of a value that it reads</source>
        <translation>它读取的值的名称</translation>
    </message>
    <message>
        <source>name of a value that it makes</source>
        <translation>它产生的值的名称</translation>
    </message>
    <message>
        <source>name of a value that it reads or makes</source>
        <translation>它读取或产生的值的名称</translation>
    </message>
    <message>
        <source>name scope that it is in</source>
        <translation>所在的名称作用域</translation>
    </message>
    <message>
        <source>title of the graph or body</source>
        <translation>图或子图的标题</translation>
    </message>
    <message>
        <source>step in the execution order</source>
        <translation>执行顺序中的步骤</translation>
    </message>
    <message>
        <source>measured time of a run</source>
        <translation>一次运行的实测时间</translation>
    </message>
    <message>
        <source>bytes of its outputs</source>
        <translation>其输出的字节数</translation>
    </message>
    <message>
        <source>floating point operations</source>
        <translation>浮点运算次数</translation>
    </message>
    <message>
        <source>elements of float initializers that it reads</source>
        <translation>它读取的浮点初始化器的元素数</translation>
    </message>
    <message>
        <source>bytes of initializers that it reads</source>
        <translation>它读取的初始化器的字节数</translation>
    </message>
    <message>
        <source>bytes of activations that it reads and writes</source>
        <translation>它读写的激活的字节数</translation>
    </message>
    <message>
        <source>relative error of the accuracy comparison</source>
        <translation>精度比较的相对误差</translation>
    </message>
    <message>
        <source>how many values it reads</source>
        <translation>它读取多少个值</translation>
    </message>
    <message>
        <source>how many values it makes</source>
        <translation>它产生多少个值</translation>
    </message>
    <message>
        <source>both words, in any order</source>
        <translation>两个词都有，顺序不限</translation>
    </message>
    <message>
        <source>this phrase</source>
        <translation>这个短语</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>not this</source>
        <translation>不含此词</translation>
    </message>
    <message>
        <source>one of the two</source>
        <translation>两者之一</translation>
    </message>
    <message>
        <source>* stands for anything</source>
        <translation>* 代表任意内容</translation>
    </message>
    <message>
        <source>OrtValueIndex of a value that it reads or makes</source>
        <translation>它读取或产生的某个值的 OrtValueIndex</translation>
    </message>
</context>
<context>
    <name>Grouping</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Flat</source>
        <translation>平铺</translation>
    </message>
    <message>
        <source>Name scopes</source>
        <translation>名称作用域</translation>
    </message>
    <message>
        <source>Repeated blocks</source>
        <translation>重复块</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>%1: compiled group %2</source>
        <translation>%1：编译组 %2</translation>
    </message>
    <message>
        <source>%1: run %2</source>
        <translation>%1：连续段 %2</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>layer %1%2</source>
        <translation>第 %1%2 层</translation>
    </message>
</context>
<context>
    <name>Headline</name>
    <message>
        <source>%1 node</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 input</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>%1 output</source>
        <translation>%1 个输出</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 个输出</translation>
    </message>
    <message>
        <source>%1 -&gt; %2 nodes</source>
        <translation>%1 -&gt; %2 个节点</translation>
    </message>
    <message>
        <source>%1 provider</source>
        <translation>%1 个 Provider</translation>
    </message>
    <message>
        <source>%1 providers</source>
        <translation>%1 个 Provider</translation>
    </message>
    <message>
        <source>%1 group</source>
        <translation>%1 个组</translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation>%1 个组</translation>
    </message>
    <message>
        <source>%1 unassigned</source>
        <translation>%1 个未分配</translation>
    </message>
    <message>
        <source>%1 step</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>path %1</source>
        <translation>路径 %1</translation>
    </message>
    <message>
        <source>%1 new</source>
        <translation>%1 个新建</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>%1 个复用</translation>
    </message>
    <message>
        <source>arena %1</source>
        <translation>内存池 %1</translation>
    </message>
    <message>
        <source>not planned</source>
        <translation>未规划</translation>
    </message>
    <message>
        <source>unknown (dynamic shapes)</source>
        <translation>未知（动态形状）</translation>
    </message>
    <message>
        <source>&gt;= %1</source>
        <translation>&gt;= %1</translation>
    </message>
    <message>
        <source>dynamic shapes</source>
        <translation>动态形状</translation>
    </message>
    <message>
        <source>at bound</source>
        <translation>达到下界</translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation>下界 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>nothing written</source>
        <translation>未写入</translation>
    </message>
    <message>
        <source>written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>%1 context node</source>
        <translation>%1 个上下文节点</translation>
    </message>
    <message>
        <source>%1 context nodes</source>
        <translation>%1 个上下文节点</translation>
    </message>
    <message>
        <source>nothing to keep</source>
        <translation>无可保留</translation>
    </message>
    <message>
        <source>%1 group can be kept</source>
        <translation>%1 个组可保留</translation>
    </message>
    <message>
        <source>%1 groups can be kept</source>
        <translation>%1 个组可保留</translation>
    </message>
</context>
<context>
    <name>OperatorFamily</name>
    <message>
        <source>Convolution &amp; products</source>
        <translation>卷积与乘积</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Normalisation &amp; pooling</source>
        <translation>归一化与池化</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>Shape &amp; movement</source>
        <translation>形状与搬移</translation>
    </message>
    <message>
        <source>Control flow &amp; functions</source>
        <translation>控制流与函数</translation>
    </message>
    <message>
        <source>Types &amp; quantisation</source>
        <translation>类型与量化</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>Nodes inside a context node are compiled into one step: they have no figures of their own.</source>
        <translation>上下文节点内的节点被编译成一个步骤：它们没有各自的数据。</translation>
    </message>
    <message>
        <source>kept compiled</source>
        <translation>保留编译结果</translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation>占位</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>此处不能运行</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>无着色</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>folded to a constant</source>
        <translation>折叠为常量</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>Change by optimisation</source>
        <translation>优化带来的变化</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>移动的字节</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Optimisation pass</source>
        <translation>优化遍</translation>
    </message>
    <message>
        <source>Cause of refusal</source>
        <translation>拒绝原因</translation>
    </message>
    <message>
        <source>Style rules</source>
        <translation>样式规则</translation>
    </message>
    <message>
        <source>Weights or activations</source>
        <translation>权重或激活</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>makes an output</source>
        <translation>产生输出</translation>
    </message>
    <message>
        <source>reads an input</source>
        <translation>读取输入</translation>
    </message>
    <message>
        <source>reads a default that callers may override</source>
        <translation>读取调用者可覆盖的默认值</translation>
    </message>
    <message>
        <source>dangling: nobody reads what it makes</source>
        <translation>悬空：没有节点读取其结果</translation>
    </message>
    <message>
        <source>captured by a body</source>
        <translation>被子图捕获</translation>
    </message>
    <message>
        <source>reads a value from around its body</source>
        <translation>读取子图外部的值</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>reads a constant</source>
        <translation>读取常量</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Story</source>
        <translation>经历</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>编辑模型</translation>
    </message>
    <message>
        <source>Model properties</source>
        <translation>模型属性</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>ONNX Runtime</source>
        <translation>ONNX Runtime</translation>
    </message>
    <message>
        <source>Cure</source>
        <translation>解决办法</translation>
    </message>
    <message>
        <source>Adviser</source>
        <translation>顾问</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Support matrix</source>
        <translation>支持矩阵</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Style rules</source>
        <translation>样式规则</translation>
    </message>
    <message>
        <source>Derived lists</source>
        <translation>推导的列表</translation>
    </message>
    <message>
        <source>Program log</source>
        <translation>程序日志</translation>
    </message>
    <message>
        <source>Weight sharing</source>
        <translation>共享权重</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>dataflow, %1</source>
        <translation>数据流，%1</translation>
    </message>
    <message>
        <source>sequential, %1</source>
        <translation>顺序执行，%1</translation>
    </message>
    <message>
        <source>uses the %1 order</source>
        <translation>采用“%1”顺序</translation>
    </message>
    <message>
        <source>plans by onnxruntime&apos;s rules</source>
        <translation>按 onnxruntime 的规则规划</translation>
    </message>
    <message>
        <source>reuses free buffers</source>
        <translation>重用空闲缓冲区</translation>
    </message>
    <message>
        <source>reuses no free buffer</source>
        <translation>不重用空闲缓冲区</translation>
    </message>
    <message>
        <source>writes in place</source>
        <translation>原地写入</translation>
    </message>
    <message>
        <source>writes nothing in place</source>
        <translation>不原地写入</translation>
    </message>
    <message>
        <source>plans a memory pattern</source>
        <translation>规划内存模式</translation>
    </message>
    <message>
        <source>plans no memory pattern</source>
        <translation>不规划内存模式</translation>
    </message>
    <message>
        <source>runs on %1 workers</source>
        <translation>用 %1 个工作线程运行</translation>
    </message>
    <message>
        <source>runs independent nodes at once</source>
        <translation>同时运行互不依赖的节点</translation>
    </message>
    <message>
        <source>runs one node after the other</source>
        <translation>逐个运行节点</translation>
    </message>
    <message>
        <source>has %1 = %2</source>
        <translation>设 %1 = %2</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>everything in %1</source>
        <translation>%1 中的全部</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Size over the open dimensions; equal formulas mean equal sizes</source>
        <translation>以未定维度表示的大小；公式相同即大小相同</translation>
    </message>
    <message>
        <source>Buffer of</source>
        <translation>所属缓冲区</translation>
    </message>
    <message>
        <source>The value that owns the memory</source>
        <translation>拥有这块内存的值</translation>
    </message>
    <message>
        <source>Shared by</source>
        <translation>共用者</translation>
    </message>
    <message>
        <source>Values that live in this buffer, one after the other or over one another</source>
        <translation>先后或重叠地存放在此缓冲区中的值</translation>
    </message>
    <message>
        <source>Live in steps</source>
        <translation>存活步骤</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Closest candidate</source>
        <translation>最接近的候选</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Sum of their sizes; a + stands for values of unknown size</source>
        <translation>大小之和；+ 表示含有大小未知的值</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Provided by the caller.</source>
        <translation>由调用者提供。</translation>
    </message>
    <message>
        <source>It belongs to the graph around this one.</source>
        <translation>属于外层的图。</translation>
    </message>
    <message>
        <source>A constant, kept as long as the session.</source>
        <translation>常量，与会话同寿命。</translation>
    </message>
    <message>
        <source>The kernel allocates it.</source>
        <translation>由内核分配。</translation>
    </message>
    <message>
        <source>A graph output: its memory goes to the caller, or comes from there.</source>
        <translation>图的输出：内存交给调用者，或来自调用者。</translation>
    </message>
    <message>
        <source>The same object as the loop&apos;s own input.</source>
        <translation>与循环自身的输入是同一对象。</translation>
    </message>
    <message>
        <source>Another shape of the same bytes: no data moves.</source>
        <translation>同样字节的另一种形状：不移动数据。</translation>
    </message>
    <message>
        <source>Written over an input that is not needed afterwards.</source>
        <translation>写在之后不再需要的输入之上。</translation>
    </message>
    <message>
        <source>Written into its place inside a later Concat&apos;s output: that Concat copies nothing.</source>
        <translation>直接写到后面某个 Concat 输出中的位置：该 Concat 不复制任何数据。</translation>
    </message>
    <message>
        <source>A part of its input, in place: Split copies nothing.</source>
        <translation>其输入的一部分，位置不变：Split 不复制数据。</translation>
    </message>
    <message>
        <source>Written straight into the graph output that is a view of it.</source>
        <translation>直接写入以它为视图的图输出。</translation>
    </message>
    <message>
        <source>Reuses a free buffer of the same size.</source>
        <translation>重用一个同样大小的空闲缓冲区。</translation>
    </message>
    <message>
        <source>Reuses a larger free buffer.</source>
        <translation>重用一个更大的空闲缓冲区。</translation>
    </message>
    <message>
        <source>No free buffer fits: it gets its own.</source>
        <translation>没有合适的空闲缓冲区：使用自己的缓冲区。</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>Select a value or a node to see the buffer it lives in.</source>
        <translation>选择一个值或节点，查看它所在的缓冲区。</translation>
    </message>
    <message>
        <source>It takes no room among the activations.</source>
        <translation>它不占用激活内存。</translation>
    </message>
    <message>
        <source>closest</source>
        <translation>最接近</translation>
    </message>
    <message>
        <source>%1 values in %2 buffers</source>
        <translation>%1 个值，%2 个缓冲区</translation>
    </message>
    <message>
        <source>No value of this graph has a buffer of its own.</source>
        <translation>此图中没有值拥有自己的缓冲区。</translation>
    </message>
    <message>
        <source> (%1 bytes)</source>
        <translation>（%1 字节）</translation>
    </message>
    <message>
        <source>%1 · %2 · on %3</source>
        <translation>%1 · %2 · 位于 %3</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>从步骤 %1 起</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>步骤 %1 之后</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>buffer of</source>
        <translation>缓冲区属于</translation>
    </message>
    <message>
        <source>, from byte %1 on</source>
        <translation>，从第 %1 字节起</translation>
    </message>
    <message>
        <source>reused from</source>
        <translation>重用自</translation>
    </message>
    <message>
        <source>live in steps</source>
        <translation>存活步骤</translation>
    </message>
    <message>
        <source>last used by</source>
        <translation>最后使用者</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>in this buffer</source>
        <translation>在此缓冲区中</translation>
    </message>
    <message>
        <source>, better</source>
        <translation>，更好</translation>
    </message>
    <message>
        <source>, worse</source>
        <translation>，更差</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation>（模拟）</translation>
    </message>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source>runs at step</source>
        <translation>运行于步骤</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Through the stages</source>
        <translation>贯穿各阶段</translation>
    </message>
    <message>
        <source>nothing of it</source>
        <translation>已无留存</translation>
    </message>
    <message>
        <source>Answers of the providers</source>
        <translation>Provider 的回答</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>%1 original nodes</source>
        <translation>%1 个原始节点</translation>
    </message>
    <message>
        <source>compiled into</source>
        <translation>编译进</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>%1, as part of it</source>
        <translation>%1，作为其一部分</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>in</source>
        <translation>于</translation>
    </message>
    <message>
        <source>body</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>, in place</source>
        <translation>，原地</translation>
    </message>
    <message>
        <source>lives</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>步骤 %1 至 %2</translation>
    </message>
    <message>
        <source>because</source>
        <translation>因为</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>%1, %2 long</source>
        <translation>%1，长 %2</translation>
    </message>
    <message>
        <source>is</source>
        <translation>是</translation>
    </message>
    <message>
        <source>, also output</source>
        <translation>，也是输出</translation>
    </message>
    <message>
        <source>stored in</source>
        <translation>存于</translation>
    </message>
    <message>
        <source>first values</source>
        <translation>开头的值</translation>
    </message>
    <message>
        <source>read by</source>
        <translation>读取者</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>work unknown: its shapes are open</source>
        <translation>工作量未知：形状未定</translation>
    </message>
    <message>
        <source>moves %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>No provider claimed it.</source>
        <translation>没有 Provider 认领它。</translation>
    </message>
    <message>
        <source>Runs on &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>运行于 &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>a subgraph of %1</source>
        <translation>%1 的子图</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source> in </source>
        <translation> 于 </translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>实际值</translation>
    </message>
    <message>
        <source>Supported</source>
        <translation>支持的条件</translation>
    </message>
    <message>
        <source>No provider was asked about it.</source>
        <translation>没有就它询问过任何 Provider。</translation>
    </message>
    <message>
        <source>%1 · weights %2</source>
        <translation>%1 · 权重 %2</translation>
    </message>
    <message>
        <source>Choose one to see why:</source>
        <translation>选择一个以查看原因：</translation>
    </message>
    <message>
        <source>not usable: %1</source>
        <translation>不可用：%1</translation>
    </message>
    <message>
        <source>%1 of %2 nodes, %3</source>
        <translation>%1 / %2 个节点，%3</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 / %2，%3</translation>
    </message>
    <message>
        <source>GetCapability took %1, Compile %2</source>
        <translation>GetCapability 用时 %1，Compile 用时 %2</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>
Describes hardware that is not here: its nodes run on the CPU kernels.</source>
        <translation>
描述的是本机没有的硬件：其节点由 CPU 内核运行。</translation>
    </message>
    <message>
        <source>
Not usable: %1</source>
        <translation>
不可用：%1</translation>
    </message>
    <message>
        <source>
weights %1</source>
        <translation>
权重 %1</translation>
    </message>
    <message>
        <source>Nodes per provider</source>
        <translation>各 Provider 的节点</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未询问</translation>
    </message>
    <message>
        <source>not assigned</source>
        <translation>未分配</translation>
    </message>
    <message>
        <source>Simulated hardware is not here: measured times are those of the CPU kernels in its place.</source>
        <translation>被模拟的硬件不在本机：测得的时间来自代替它的 CPU 内核。</translation>
    </message>
    <message>
        <source>Where estimates come from, and notes</source>
        <translation>估计值的来源与须知</translation>
    </message>
    <message>
        <source>Partition boundaries</source>
        <translation>分区边界</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>of them compiled</source>
        <translation>其中已编译</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>casts</source>
        <translation>类型转换</translation>
    </message>
    <message>
        <source>bytes copied</source>
        <translation>复制的字节</translation>
    </message>
    <message>
        <source>copies of unknown size</source>
        <translation>大小未知的复制</translation>
    </message>
    <message>
        <source>Memory and time</source>
        <translation>内存与时间</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>计划峰值</translation>
    </message>
    <message>
        <source>estimated time</source>
        <translation>估计时间</translation>
    </message>
    <message>
        <source>of it copying</source>
        <translation>其中复制</translation>
    </message>
    <message>
        <source>measured time</source>
        <translation>实测时间</translation>
    </message>
    <message>
        <source>No node moves</source>
        <translation>没有节点移动</translation>
    </message>
    <message>
        <source>1 node moves</source>
        <translation>1 个节点移动</translation>
    </message>
    <message>
        <source>%1 nodes move</source>
        <translation>%1 个节点移动</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>fewer</source>
        <translation>更少</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>%1 as fast</source>
        <translation>%1 同样快</translation>
    </message>
    <message>
        <source>%1 %2 times as %3</source>
        <translation>%1 %2 倍，%3</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>快</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>no provider</source>
        <translation>无 Provider</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作量</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>From → to</source>
        <translation>从 → 到</translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation>起因</translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation>消除方法</translation>
    </message>
    <message>
        <source>− removed</source>
        <translation>− 移除</translation>
    </message>
    <message>
        <source>+ added</source>
        <translation>+ 新增</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2，%3</translation>
    </message>
    <message>
        <source>%1 of unknown size</source>
        <translation>%1 个大小未知</translation>
    </message>
    <message>
        <source>✓ claimed</source>
        <translation>✓ 已接受</translation>
    </message>
    <message>
        <source>– already claimed</source>
        <translation>– 已被认领</translation>
    </message>
    <message>
        <source>✕ refused</source>
        <translation>✕ 已拒绝</translation>
    </message>
    <message>
        <source>✕ group rejected</source>
        <translation>✕ 组被否决</translation>
    </message>
    <message>
        <source>✕ compile failed</source>
        <translation>✕ 编译失败</translation>
    </message>
    <message>
        <source>↩ given back</source>
        <translation>↩ 已退回</translation>
    </message>
    <message>
        <source>%1 at offset %2</source>
        <translation>%1，偏移 %2</translation>
    </message>
    <message>
        <source>, needs %1</source>
        <translation>，需要 %1</translation>
    </message>
    <message>
        <source> · live %1</source>
        <translation> · 存活 %1</translation>
    </message>
    <message>
        <source>, measured %1</source>
        <translation>，实测 %1</translation>
    </message>
    <message>
        <source>workspace of %1</source>
        <translation>%1 的工作区</translation>
    </message>
    <message>
        <source>Nothing could be planned: no value of this graph has a size that is known before running. Bind the open dimensions to see its memory.</source>
        <translation>无法规划：此图中没有值的大小在运行前已知。绑定未定维度即可查看其内存。</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation>下界 %1</translation>
    </message>
    <message>
        <source>live</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>live, planned</source>
        <translation>存活，计划</translation>
    </message>
    <message>
        <source>bodies</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>%1 blocks over %2 steps, peak %3 at step %4, lower bound %5</source>
        <translation>%1 个块，%2 个步骤，峰值 %3 在步骤 %4，下界 %5</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of all bytes alive at the peak step</source>
        <translation>占峰值步骤存活字节的比例</translation>
    </message>
    <message>
        <source>Would save</source>
        <translation>可节省</translation>
    </message>
    <message>
        <source>By how much the lower bound would fall if this value needed no memory</source>
        <translation>若此值不需要内存，下界会降低多少</translation>
    </message>
    <message>
        <source>Kept alive by</source>
        <translation>保持者</translation>
    </message>
    <message>
        <source>The node of its last use</source>
        <translation>最后使用它的节点</translation>
    </message>
    <message>
        <source>Until step</source>
        <translation>至步骤</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Above the bound</source>
        <translation>高出下界</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Rounded up to the alignment</source>
        <translation>按对齐取整</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>From step</source>
        <translation>从步骤</translation>
    </message>
    <message>
        <source>To step</source>
        <translation>到步骤</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>More than one: between them, other values use the memory</source>
        <translation>多于一个：其间内存由其他值使用</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What if: %1 on %2. Compare shows what it changes.</source>
        <translation>假设：%1 在 %2 上。比较会显示它带来的变化。</translation>
    </message>
    <message>
        <source>Pin this %1 to</source>
        <translation>将此 %1 固定到</translation>
    </message>
    <message>
        <source>Pin all %1 to</source>
        <translation>将全部 %1 固定到</translation>
    </message>
    <message>
        <source>Pin everything in %1 to</source>
        <translation>将 %1 中的全部固定到</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>须知</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>planned in</source>
        <translation>规划用时</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Memory of activations</source>
        <translation>激活内存</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>without sharing</source>
        <translation>不共享时</translation>
    </message>
    <message>
        <source>values of unknown size</source>
        <translation>大小未知的值</translation>
    </message>
    <message>
        <source>of them in place</source>
        <translation>其中原地</translation>
    </message>
    <message>
        <source>parts of others</source>
        <translation>他者的一部分</translation>
    </message>
    <message>
        <source>Beside the activations</source>
        <translation>激活之外</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Sizes are open: bind the dimensions to compare peaks</source>
        <translation>大小未定：绑定维度后才能比较峰值</translation>
    </message>
    <message>
        <source>The same peak</source>
        <translation>峰值相同</translation>
    </message>
    <message>
        <source> (%1 %)</source>
        <translation>（%1 %）</translation>
    </message>
    <message>
        <source>Peak %1 %2%3</source>
        <translation>峰值%1 %2%3</translation>
    </message>
    <message>
        <source>smaller</source>
        <translation>减小</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>增大</translation>
    </message>
    <message>
        <source>no value differs</source>
        <translation>没有值不同</translation>
    </message>
    <message>
        <source>1 value differs</source>
        <translation>1 个值不同</translation>
    </message>
    <message>
        <source>%1 values differ</source>
        <translation>%1 个值不同</translation>
    </message>
    <message>
        <source>1 node at another step</source>
        <translation>1 个节点在另一步骤</translation>
    </message>
    <message>
        <source>%1 nodes at another step</source>
        <translation>%1 个节点在另一步骤</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Sizes are open: there are no live bytes to draw. Bind the dimensions in the draft.</source>
        <translation>大小未定：没有可画的存活字节。请在草案中绑定维度。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>life</source>
        <translation>存活期</translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Now → what if</source>
        <translation>现在 → 假设</translation>
    </message>
    <message>
        <source>Why, what if</source>
        <translation>原因（假设）</translation>
    </message>
    <message>
        <source>Why, now</source>
        <translation>原因（现在）</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>Above it</source>
        <translation>高出</translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation>不共享时</translation>
    </message>
    <message>
        <source>Size unknown</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>Values whose size no dimension decides</source>
        <translation>大小不由任何维度决定的值</translation>
    </message>
    <message>
        <source>Main thread</source>
        <translation>主线程</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>Not in this model</source>
        <translation>不在此模型中</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Depth first from the outputs back: producers stand just before their consumers.</source>
        <translation>从输出向回深度优先：产生者紧挨在使用者之前。</translation>
    </message>
    <message>
        <source>Ready nodes by priority: shapes first, then by index.</source>
        <translation>就绪节点按优先级：形状优先，然后按索引。</translation>
    </message>
    <message>
        <source>Ready nodes in the order in which they became ready.</source>
        <translation>就绪节点按变为就绪的先后。</translation>
    </message>
    <message>
        <source>Ready nodes that free most and allocate least, improved by local search; never above the default order&apos;s peak.</source>
        <translation>就绪节点中释放最多、占用最少者优先，并经局部搜索改进；绝不高于默认顺序的峰值。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>How much later it may end before the whole takes longer; nothing: it is on the critical path</source>
        <translation>它最多可晚结束多久而不延长整体；无余量：它在关键路径上</translation>
    </message>
    <message>
        <source>Live bytes</source>
        <translation>存活字节</translation>
    </message>
    <message>
        <source>Activations alive while it runs</source>
        <translation>它运行时存活的激活</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>May run until</source>
        <translation>可运行至</translation>
    </message>
    <message>
        <source>The last step that may start before this one has ended</source>
        <translation>在它结束之前可以开始的最后一步</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>关键</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Of the path</source>
        <translation>占路径</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Launched; held back by a barrier or a wait; followed by a notification</source>
        <translation>启动；被屏障或等待阻挡；之后有通知</translation>
    </message>
    <message>
        <source>Notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>步骤 %1，%2</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>代价 %1</translation>
    </message>
    <message>
        <source>on the critical path: no slack</source>
        <translation>在关键路径上：没有余量</translation>
    </message>
    <message>
        <source>slack %1</source>
        <translation>余量 %1</translation>
    </message>
    <message>
        <source>may still run when step %1 starts</source>
        <translation>步骤 %1 开始时可能仍在运行</translation>
    </message>
    <message>
        <source>live bytes %1</source>
        <translation>存活字节 %1</translation>
    </message>
    <message>
        <source>step %1 · %2 · %3</source>
        <translation>步骤 %1 · %2 · %3</translation>
    </message>
    <message>
        <source> · critical</source>
        <translation> · 关键</translation>
    </message>
    <message>
        <source> · slack %1</source>
        <translation> · 余量 %1</translation>
    </message>
    <message>
        <source>There are no steps.</source>
        <translation>没有步骤。</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>工作线程 %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>has slack</source>
        <translation>有余量</translation>
    </message>
    <message>
        <source>time, if every node takes its cost</source>
        <translation>每个节点都用其代价时的时间</translation>
    </message>
    <message>
        <source>%1 steps on %2 lanes, critical path of %3 nodes</source>
        <translation>%1 个步骤，%2 条泳道，关键路径 %3 个节点</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>For inspection only: this model cannot run here.</source>
        <translation>仅供查看：此模型不能在此处运行。</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>已停止：%1</translation>
    </message>
    <message>
        <source>Cancelled. What was finished before is shown; F5 starts again.</source>
        <translation>已取消。此前完成的部分仍可查看；按 F5 重新开始。</translation>
    </message>
    <message>
        <source>All stages: %1</source>
        <translation>全部阶段：%1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>去往 %1</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部内容</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>%1, %2 of the graph</source>
        <translation>%1，占图的 %2</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>%1, %2 parameters</source>
        <translation>%1，%2 个参数</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>look at them</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Nothing is left to plan: compiled groups keep what passes inside them to themselves, and outputs are handed to the caller.</source>
        <translation>没有需要规划的内容：已编译的组在内部保留中间值，输出则交给调用者。</translation>
    </message>
    <message>
        <source>No value of this graph has a buffer on %1.</source>
        <translation>此图没有值在 %1 上拥有缓冲区。</translation>
    </message>
    <message>
        <source>plans by the rules of onnxruntime for training</source>
        <translation>按 onnxruntime 的训练规则规划</translation>
    </message>
    <message>
        <source>plans by Cutaway&apos;s rules</source>
        <translation>按 Cutaway 的规则规划</translation>
    </message>
    <message>
        <source>Depth first from the last output back, the latest producer first: onnxruntime&apos;s default.</source>
        <translation>从最后一个输出起深度优先回溯，最晚的产生者优先：onnxruntime 的默认方式。</translation>
    </message>
    <message>
        <source>Estimated work, no FLOP count: the larger of a node&apos;s FLOP and 8 × the bytes it moves</source>
        <translation>估算工作量,并非 FLOP 数:取节点的 FLOP 与 8 × 移动字节数中的较大者</translation>
    </message>
    <message>
        <source>not compared: simulated hardware</source>
        <translation>未比较:模拟硬件</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>measured times are within noise</source>
        <translation>测得时间在噪声范围内</translation>
    </message>
    <message>
        <source>Nothing is left to plan: what this graph makes is written into its outputs or its inputs.</source>
        <translation>没有需要规划的内容:该图的结果都写入其输出或输入。</translation>
    </message>
    <message>
        <source>Time as measured</source>
        <translation>测得时间</translation>
    </message>
    <message>
        <source>Sizes are open: every node counts the same</source>
        <translation>大小未定:每个节点同等计算</translation>
    </message>
    <message>
        <source>estimated work: max(FLOP, 8 × bytes)</source>
        <translation>估算工作量:max(FLOP, 8 × 字节)</translation>
    </message>
    <message>
        <source>documentation</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>doc string</source>
        <translation>文档字符串</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生产者</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>OrtValueIndex: the number under which onnxruntime keeps this value</source>
        <translation>OrtValueIndex：onnxruntime 给这个值的编号</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 的 %2</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>产生</translation>
    </message>
    <message>
        <source>Uses of buffers</source>
        <translation>缓冲区的使用计数</translation>
    </message>
    <message>
        <source>Before, with the outputs placed, and after: readers, definitions and places among the outputs of all that lives in the buffer; one more for what is never recycled. At 0 it is free</source>
        <translation>之前、放入输出之后、结束之后：缓冲区中所有值的读取、定义以及作为输出的次数；从不回收的多计一次。为 0 时即空闲</translation>
    </message>
    <message>
        <source>Free behind it</source>
        <translation>此后空闲</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新的在前</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>Beside %1</source>
        <translation>与 %1 对照</translation>
    </message>
    <message>
        <source>It has no result on both sides.</source>
        <translation>并非两侧都有结果。</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>变差</translation>
    </message>
    <message>
        <source>better</source>
        <translation>变好</translation>
    </message>
    <message>
        <source>It was: %1</source>
        <translation>原先：%1</translation>
    </message>
    <message>
        <source>Nothing differs by more than the gate&apos;s shares and beyond noise.</source>
        <translation>没有超出门限比例且超出噪声的差异。</translation>
    </message>
    <message>
        <source>%1, groups: %2</source>
        <translation>%1，组：%2</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>%1, version by version</source>
        <translation>%1，按版本</translation>
    </message>
    <message>
        <source>The plan has no job here.</source>
        <translation>计划在此处没有任务。</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>计划内存</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Nodes on the last provider</source>
        <translation>最后一个 Provider 上的节点</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>worse: %1</source>
        <translation>变差：%1</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Colours say how jobs ended; words say the same.</source>
        <translation>颜色表示任务如何结束；文字含义相同。</translation>
    </message>
    <message>
        <source>Darker: more nodes on the last provider, which takes what is left.</source>
        <translation>颜色越深：最后一个 Provider 上的节点越多，它接收剩余的节点。</translation>
    </message>
    <message>
        <source>Darker: more than the least of the row; darkest: eight times that.</source>
        <translation>颜色越深：比本行最小值越大；最深为其八倍。</translation>
    </message>
    <message>
        <source>Darker: a larger error of an output, by orders of magnitude.</source>
        <translation>颜色越深：输出误差越大，按数量级划分。</translation>
    </message>
    <message>
        <source>Exact figures are compared as they are, measured ones beyond noise and on machines of one class.</source>
        <translation>精确数值直接比较；测量值只在同类机器上、超出噪声时比较。</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>check failed</source>
        <translation>检查未通过</translation>
    </message>
    <message>
        <source>bad model</source>
        <translation>无效模型</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>unreadable report</source>
        <translation>报告无法读取</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>%1, %2 of constants packed</source>
        <translation>%1，已重排 %2 常量</translation>
    </message>
    <message>
        <source>refused before it</source>
        <translation>此前拒绝</translation>
    </message>
    <message>
        <source>its row has %1 too, but not for what this node is</source>
        <translation>它所在的行也有 %1，但不适用于这样的节点</translation>
    </message>
    <message>
        <source>kernels are being made …</source>
        <translation>正在创建内核…</translation>
    </message>
    <message>
        <source>which one, and what refused before it?</source>
        <translation>是哪一个？此前哪些拒绝了？</translation>
    </message>
    <message>
        <source>As the last profiled run showed it</source>
        <translation>由最近一次剖析运行得出</translation>
    </message>
    <message>
        <source>In the buffer of</source>
        <translation>所在缓冲区</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Before the run</source>
        <translation>运行之前</translation>
    </message>
    <message>
        <source>Of its buffer in the block</source>
        <translation>其缓冲区在内存块中的偏移</translation>
    </message>
    <message>
        <source>Made at step</source>
        <translation>产生于步骤</translation>
    </message>
    <message>
        <source>Free behind step</source>
        <translation>步骤之后释放</translation>
    </message>
    <message>
        <source>The step of its last reader</source>
        <translation>最后一个读取者的步骤</translation>
    </message>
    <message>
        <source>unknown (dynamic shapes)</source>
        <translation>未知（动态形状）</translation>
    </message>
    <message>
        <source>not compared: dynamic shapes</source>
        <translation>未比较：动态形状</translation>
    </message>
    <message>
        <source>new buffers</source>
        <translation>新缓冲区</translation>
    </message>
    <message>
        <source>reused buffers</source>
        <translation>复用的缓冲区</translation>
    </message>
    <message>
        <source>%1, sized values only</source>
        <translation>%1，仅含大小已知的值</translation>
    </message>
    <message>
        <source>Compiled group</source>
        <translation>编译组</translation>
    </message>
    <message>
        <source>made of</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>%1, %2 together</source>
        <translation>%1 个，共 %2</translation>
    </message>
    <message>
        <source>values in</source>
        <translation>输入值</translation>
    </message>
    <message>
        <source>values out</source>
        <translation>输出值</translation>
    </message>
    <message>
        <source>%1 computes on this processor here, and its times say nothing of the hardware that it is for</source>
        <translation>%1 在这里由本机处理器计算，其时间不能说明它所面向的硬件</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>生产者</translation>
    </message>
    <message>
        <source>median %1 of %2 runs, calls between %3 and %4</source>
        <translation>%2 次运行的中位数 %1，单次调用 %3 至 %4</translation>
    </message>
    <message>
        <source>, at %1</source>
        <translation>，取 %1</translation>
    </message>
    <message>
        <source>created by</source>
        <translation>创建者</translation>
    </message>
    <message>
        <source>producer: %1</source>
        <translation>产生者：%1</translation>
    </message>
    <message>
        <source>%1 units of work</source>
        <translation>%1 工作量单位</translation>
    </message>
    <message>
        <source>critical path, units of work</source>
        <translation>关键路径，工作量单位</translation>
    </message>
    <message>
        <source>not compared: other units</source>
        <translation>未比较：单位不同</translation>
    </message>
    <message>
        <source>nodes of the model</source>
        <translation>模型中的节点</translation>
    </message>
    <message>
        <source>%1 in multiples of %2</source>
        <translation>%1 为 %2 的倍数</translation>
    </message>
    <message>
        <source>for</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>%1, %2 of what is known of the graph</source>
        <translation>%1，占图中已知部分的 %2</translation>
    </message>
    <message>
        <source>; the operations of %1 nodes are not known before running</source>
        <translation>；%1 个节点的运算量在运行前未知</translation>
    </message>
    <message>
        <source>the largest of %1</source>
        <translation>以下各项中的最大值：%1</translation>
    </message>
    <message>
        <source>%1 dims</source>
        <translation>%1 个维度</translation>
    </message>
    <message>
        <source>No place is planned: buffers come from an arena when their nodes ask for them.</source>
        <translation>未规划位置：节点请求时，缓冲区来自内存池。</translation>
    </message>
    <message>
        <source>the arena holds %1, simulated</source>
        <translation>内存池占用 %1（模拟）</translation>
    </message>
    <message>
        <source>most bytes alive %1</source>
        <translation>最大存活字节 %1</translation>
    </message>
    <message>
        <source>bytes alive over %1 steps, at most %2 at step %3; the arena would hold %4, simulated</source>
        <translation>%1 个步骤中的存活字节，在步骤 %3 时最多 %2；内存池将占用 %4（模拟）</translation>
    </message>
</context>
<context>
    <name>RowTable</name>
    <message>
        <source>Save table</source>
        <translation>保存表</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
</context>
<context>
    <name>SceneFigures</name>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
</context>
<context>
    <name>SceneTips</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts that are alike</source>
        <translation>
            <numerusform>%n 个相同的部分</numerusform>
        </translation>
    </message>
    <message>
        <source>Double-click unfolds</source>
        <translation>双击展开</translation>
    </message>
    <message>
        <source>in</source>
        <translation>于</translation>
    </message>
    <message>
        <source>out</source>
        <translation>出</translation>
    </message>
    <message>
        <source>runs on %1</source>
        <translation>运行于 %1</translation>
    </message>
    <message>
        <source>The sign at the left folds it</source>
        <translation>左侧的符号可折叠</translation>
    </message>
    <message>
        <source>Double-click enters it, the sign at the right unfolds it in place</source>
        <translation>双击进入，右侧的符号就地展开</translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n 个值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>去往 %1</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>含 %1</translation>
    </message>
    <message numerus="yes">
        <source>as its provider was asked; %n nodes of the model</source>
        <translation>
            <numerusform>按 Provider 被询问时计；模型中为 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>inside, by its library: %1</source>
        <translation>内部，据其库所报：%1</translation>
    </message>
    <message>
        <source>Double-click opens it</source>
        <translation>双击打开</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Inputs &amp; outputs</source>
        <translation>输入 &amp; 输出</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>内存分配</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Memory plan</source>
        <translation>内存规划</translation>
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
        <translation>未具名的编译器</translation>
    </message>
    <message>
        <source>main</source>
        <translation>主</translation>
    </message>
    <message>
        <source>dependent</source>
        <translation>从属</translation>
    </message>
    <message>
        <source>with its main node</source>
        <translation>随主节点</translation>
    </message>
    <message>
        <source>in the node</source>
        <translation>在节点内</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未给出</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation>占位</translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation>不能使用</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>此处不能运行</translation>
    </message>
    <message>
        <source>Compiled by %1</source>
        <translation>由 %1 编译</translation>
    </message>
    <message>
        <source> for %1</source>
        <translation>，用于 %1</translation>
    </message>
    <message>
        <source> with SDK %1</source>
        <translation>，SDK %1</translation>
    </message>
    <message>
        <source>%1 restored it: nothing was compiled again.</source>
        <translation>%1 已恢复它：没有重新编译。</translation>
    </message>
    <message>
        <source>A placeholder for hardware that is not here: its nodes run on the kernels of %1.</source>
        <translation>此处没有的硬件的占位符：其节点由 %1 的内核运行。</translation>
    </message>
    <message>
        <source>It was not restored in this session.</source>
        <translation>它在此会话中未被恢复。</translation>
    </message>
    <message>
        <source>It cannot be used here: %1</source>
        <translation>它不能在此处使用：%1</translation>
    </message>
    <message>
        <source>None of the providers of this session can run it (%1). </source>
        <translation>此会话的 Provider（%1）都不能运行它。 </translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes, the %1 original nodes that the file describes, and everything around it can be seen.</source>
        <translation>可以查看其输入输出、属性、文件所描述的 %1 个原始节点以及周围的一切。</translation>
    </message>
    <message>
        <source>Its inputs and outputs, its attributes and everything around it can be seen; what is inside is machine code that only its maker reads.</source>
        <translation>可以查看它的输入输出、属性以及它周围的一切；内部是只有其制作者能读的机器码。</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>as a placeholder: %1</source>
        <translation>作为占位：%1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no: run by kernels, nothing was compiled</source>
        <translation>否：由内核运行，没有编译任何内容</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no: %1</source>
        <translation>否：%1</translation>
    </message>
    <message>
        <source>no provider</source>
        <translation>无 Provider</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Constants that are kept in the context</source>
        <translation>保存在上下文中的常量</translation>
    </message>
    <message>
        <source>Fused node</source>
        <translation>融合节点</translation>
    </message>
    <message>
        <source>As its context node will be called, without the prefix</source>
        <translation>其上下文节点的名称，不含前缀</translation>
    </message>
    <message>
        <source>Context node</source>
        <translation>上下文节点</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation>编译者</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Binary</source>
        <translation>二进制文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Nodes inside</source>
        <translation>内部节点</translation>
    </message>
    <message>
        <source>Groups are compiled, but none of them can be kept; the table says why.</source>
        <translation>有编译的组，但都不能保留；表中说明了原因。</translation>
    </message>
    <message>
        <source>A context model keeps what was compiled, so that loading it compiles nothing.</source>
        <translation>上下文模型保留已编译的内容，加载时无需再编译。</translation>
    </message>
    <message>
        <source> Here only placeholders would be written: the hardware is described, not there.</source>
        <translation>此处只会写入占位：硬件只是被描述，并不存在。</translation>
    </message>
    <message>
        <source> The one other node is written as it is.</source>
        <translation>另外一个节点按原样写入。</translation>
    </message>
    <message>
        <source> The other %1 nodes are written as they are.</source>
        <translation>另外 %1 个节点按原样写入。</translation>
    </message>
    <message>
        <source>This is a compiled model: parts of it were compiled by %1.</source>
        <translation>这是一个已编译的模型：其中一部分由 %1 编译。</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source> All of them were restored here.</source>
        <translation>全部已在此恢复。</translation>
    </message>
    <message>
        <source> It can be looked at, but not run here.</source>
        <translation>可以查看，但不能在此运行。</translation>
    </message>
    <message>
        <source> None of them can be run here; the model can be looked at.</source>
        <translation>它们都不能在此运行；模型可以查看。</translation>
    </message>
    <message>
        <source> %1 of %2 were restored here.</source>
        <translation>%2 个中有 %1 个已在此恢复。</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>一样快</translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation>快 %1</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>慢 %1</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>all together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>%1; the model&apos;s weights have %2</source>
        <translation>%1；模型的权重为 %2</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>%1 are kept once instead of several times</source>
        <translation>%1 只保存一次而不是多次</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1 of %2 outputs</source>
        <translation>%1 / %2 个输出</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>differ</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>differs by up to %1</source>
        <translation>最多相差 %1</translation>
    </message>
    <message>
        <source>Loaded again</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Ready to run after</source>
        <translation>可运行前用时</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>首次运行</translation>
    </message>
    <message>
        <source>compiled here</source>
        <translation>在此编译</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>It does not load: %1</source>
        <translation>无法加载：%1</translation>
    </message>
    <message>
        <source>It loads, but: %1</source>
        <translation>可以加载，但是：%1</translation>
    </message>
    <message>
        <source>; both are ready within 100 ms</source>
        <translation>；两者都在 100 ms 内就绪</translation>
    </message>
    <message>
        <source>, ready to run %1</source>
        <translation>，就绪 %1</translation>
    </message>
    <message>
        <source>It loads, but its outputs differ%1.</source>
        <translation>可以加载，但输出不同%1。</translation>
    </message>
    <message>
        <source>, not there</source>
        <translation>，不存在</translation>
    </message>
    <message>
        <source>Compiled context</source>
        <translation>已编译上下文</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>not given: any provider may try</source>
        <translation>未给出：任何 Provider 都可尝试</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>main: it has the binary</source>
        <translation>主：二进制文件在此节点</translation>
    </message>
    <message>
        <source>dependent: its part is in the binary of a main node</source>
        <translation>从属：其部分在某主节点的二进制文件中</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>二进制文件</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>its part</source>
        <translation>其部分</translation>
    </message>
    <message>
        <source>largest of its set</source>
        <translation>该组中最大</translation>
    </message>
    <message>
        <source>%1 were open already</source>
        <translation>%1 个已打开</translation>
    </message>
    <message>
        <source>SDK</source>
        <translation>SDK</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>original model</source>
        <translation>原始模型</translation>
    </message>
    <message>
        <source>original nodes</source>
        <translation>原始节点</translation>
    </message>
    <message>
        <source>the file does not say</source>
        <translation>文件未说明</translation>
    </message>
    <message>
        <source>restored in</source>
        <translation>恢复用时</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation>（模拟）</translation>
    </message>
    <message>
        <source>kernels, node by node</source>
        <translation>内核，逐个节点</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作量</translation>
    </message>
    <message>
        <source>%1 says</source>
        <translation>%1 的说法</translation>
    </message>
    <message>
        <source>Nodes it would get without this cause</source>
        <translation>若无此原因可获得的节点</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of all nodes</source>
        <translation>占全部节点</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Reason, of the first</source>
        <translation>首个节点的理由</translation>
    </message>
    <message>
        <source>Supported</source>
        <translation>支持的条件</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>In</source>
        <translation>入</translation>
    </message>
    <message>
        <source>Values that enter, and their bytes</source>
        <translation>进入的值及其字节</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>出</translation>
    </message>
    <message>
        <source>Values that leave, and their bytes</source>
        <translation>离开的值及其字节</translation>
    </message>
    <message>
        <source>Becomes</source>
        <translation>变为</translation>
    </message>
    <message>
        <source>First node</source>
        <translation>首个节点</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>From → to</source>
        <translation>从 → 到</translation>
    </message>
    <message>
        <source>Forced by</source>
        <translation>起因</translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation>消除方法</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>类型转换</translation>
    </message>
    <message>
        <source>casts</source>
        <translation>类型转换</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>所在</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Without the spans below it</source>
        <translation>不含其下的时间段</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>%1, %2 of all</source>
        <translation>%1，占全部 %2</translation>
    </message>
    <message>
        <source>Ready after %1.</source>
        <translation>%1 后就绪。</translation>
    </message>
    <message>
        <source> “%1” takes %2</source>
        <translation>“%1”用时 %2</translation>
    </message>
    <message>
        <source>, most of it “%1” with %2</source>
        <translation>，其中大部分是“%1”，%2</translation>
    </message>
    <message>
        <source>, the longest in it “%1” with %2</source>
        <translation>，其中最长的是“%1”，%2</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Faster, slower</source>
        <translation>更快，更慢</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声内</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation>仅在基准中</translation>
    </message>
    <message>
        <source>only now</source>
        <translation>仅在现在</translation>
    </message>
    <message>
        <source>p &lt; 0.001</source>
        <translation>p &lt; 0.001</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>%1 faster than the baseline, significant</source>
        <translation>比基准快 %1，显著</translation>
    </message>
    <message>
        <source>%1 slower than the baseline, significant</source>
        <translation>比基准慢 %1，显著</translation>
    </message>
    <message>
        <source>No difference beyond noise</source>
        <translation>没有超出噪声的差异</translation>
    </message>
    <message>
        <source>%1 now, %2 before (%3), %4</source>
        <translation>现在 %1，之前 %2（%3），%4</translation>
    </message>
    <message>
        <source>; the difference is between %1 and %2 with 95 % confidence</source>
        <translation>；差异以 95 % 置信度介于 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>Caller</source>
        <translation>调用者</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>工作线程 %1</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>slowest %1</source>
        <translation>最慢 %1</translation>
    </message>
    <message>
        <source>%1 × median</source>
        <translation>%1 × 中位数</translation>
    </message>
    <message>
        <source>Engine, a node</source>
        <translation>引擎，每节点</translation>
    </message>
    <message>
        <source>outside kernels</source>
        <translation>内核之外</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>Read from %1: %2%3</source>
        <translation>读自 %1：%2%3</translation>
    </message>
    <message>
        <source> after 1 warm-up</source>
        <translation>，预热 1 次</translation>
    </message>
    <message>
        <source> after %1 warm-ups</source>
        <translation>，预热 %1 次</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>dataflow with %1 workers</source>
        <translation>数据流，%1 个工作线程</translation>
    </message>
    <message>
        <source>dataflow, 1 worker</source>
        <translation>数据流，1 个工作线程</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>顺序执行</translation>
    </message>
    <message>
        <source>, “%1”</source>
        <translation>，“%1”</translation>
    </message>
    <message>
        <source>%1%2 on %3, %4%5</source>
        <translation>%1%2，%3，%4%5</translation>
    </message>
    <message>
        <source>As the model has them; in memory now: %1</source>
        <translation>模型中的大小；现在在内存中：%1</translation>
    </message>
    <message>
        <source>As the model has them</source>
        <translation>模型中的大小</translation>
    </message>
    <message>
        <source>Packed</source>
        <translation>打包后</translation>
    </message>
    <message>
        <source>In the layouts that kernels want; shared with other sessions: %1</source>
        <translation>内核所需的布局；与其他会话共享：%1</translation>
    </message>
    <message>
        <source>Weights in the layouts that kernels want</source>
        <translation>内核所需布局的权重</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Blocks of the memory pattern</source>
        <translation>内存模式的块</translation>
    </message>
    <message>
        <source>Arena</source>
        <translation>Arena</translation>
    </message>
    <message>
        <source>Values whose size was not known before the run. %1 requests, grew %2 times, %3 in use at most</source>
        <translation>运行前大小未知的值。%1 次请求，增长 %2 次，最多使用 %3</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Scratch of kernels</source>
        <translation>内核的临时内存</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>步骤 %1 / %2</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>工作线程 %1</translation>
    </message>
    <message>
        <source>on the critical path</source>
        <translation>在关键路径上</translation>
    </message>
    <message>
        <source>not on the critical path</source>
        <translation>不在关键路径上</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>in the buffer of %1</source>
        <translation>在 %1 的缓冲区中</translation>
    </message>
    <message>
        <source>lives in steps %1</source>
        <translation>存活步骤 %1</translation>
    </message>
    <message>
        <source>Offset %1 of the planned block</source>
        <translation>计划块的偏移 %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>Part of the peak (%1 at step %2)</source>
        <translation>峰值的一部分（%1，在步骤 %2）</translation>
    </message>
    <message>
        <source>on the caller&apos;s thread</source>
        <translation>在调用者的线程上</translation>
    </message>
    <message>
        <source>on worker %1</source>
        <translation>在工作线程 %1 上</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 次调用</translation>
    </message>
    <message>
        <source>%1 at %2 GFLOP/s</source>
        <translation>%1，%2 GFLOP/s</translation>
    </message>
    <message>
        <source>Inside context node %1</source>
        <translation>在上下文节点 %1 内</translation>
    </message>
    <message>
        <source>no provider here can restore it</source>
        <translation>此处没有 Provider 能恢复它</translation>
    </message>
    <message>
        <source>restored by %1</source>
        <translation>由 %1 恢复</translation>
    </message>
    <message>
        <source>Can be kept compiled</source>
        <translation>可保留编译结果</translation>
    </message>
    <message>
        <source>Stays as it is in an export</source>
        <translation>导出时保持原样</translation>
    </message>
    <message>
        <source>as context node %1, %2 nodes</source>
        <translation>作为上下文节点 %1，%2 个节点</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>What can be searched for</source>
        <translation>可搜索的内容</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>相邻节点</translation>
    </message>
    <message>
        <source>Everything upstream</source>
        <translation>全部上游</translation>
    </message>
    <message>
        <source>Everything downstream</source>
        <translation>全部下游</translation>
    </message>
    <message>
        <source>Shortest path between two nodes</source>
        <translation>两个节点间的最短路径</translation>
    </message>
    <message>
        <source>All paths between two nodes</source>
        <translation>两个节点间的所有路径</translation>
    </message>
    <message>
        <source>Choose a node first.</source>
        <translation>请先选择一个节点。</translation>
    </message>
    <message>
        <source>Choose two nodes with Ctrl+click; there must be a path from one to the other.</source>
        <translation>按住 Ctrl 单击选择两个节点；其中一个须有路径通往另一个。</translation>
    </message>
    <message>
        <source>%1: %2 nodes</source>
        <translation>%1：%2 个节点</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>Select what is highlighted</source>
        <translation>选择高亮的内容</translation>
    </message>
    <message>
        <source>End highlighting</source>
        <translation>结束高亮</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>measured live</source>
        <translation>实测存活</translation>
    </message>
    <message>
        <source>planned live</source>
        <translation>计划存活</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>, %1 of the bus</source>
        <translation>，为总线的 %1</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Memory of %1 was not recorded.</source>
        <translation>未记录 %1 的内存。</translation>
    </message>
    <message>
        <source>replayed as one</source>
        <translation>作为整体重放</translation>
    </message>
    <message>
        <source>will be replayed from the third run on</source>
        <translation>从第三次运行起重放</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>所有设备</translation>
    </message>
    <message>
        <source>Memory was not recorded.</source>
        <translation>未记录内存。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Planned peak</source>
        <translation>计划峰值</translation>
    </message>
    <message>
        <source>Of values, without weights and workspace</source>
        <translation>值的内存，不含权重和工作区</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>Measured peak</source>
        <translation>实测峰值</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>By this session&apos;s runs: blocks and arenas</source>
        <translation>由本会话的运行持有：块和内存池</translation>
    </message>
    <message>
        <source>Most scratch of kernels</source>
        <translation>内核使用的最大工作区</translation>
    </message>
    <message>
        <source>Uploaded once per session</source>
        <translation>每个会话上传一次</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>设备池</translation>
    </message>
    <message>
        <source>What the device&apos;s allocator holds, all sessions of this process</source>
        <translation>设备分配器所持有的，本进程的全部会话</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>轨道</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Of the bus</source>
        <translation>占总线</translation>
    </message>
    <message>
        <source>Against what the bus can do in one direction</source>
        <translation>相对于总线单向能力</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>已录制</translation>
    </message>
    <message>
        <source>Replayed</source>
        <translation>已重放</translation>
    </message>
    <message>
        <source>Runs in which the device replayed it as one</source>
        <translation>设备将其作为整体重放的运行次数</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Why a captured segment ends here</source>
        <translation>捕获段为何在此结束</translation>
    </message>
    <message>
        <source>Blocks of the memory pattern. Patterns by feed shapes: %1 hits, %2 misses, %3 evictions</source>
        <translation>内存模式的块。按输入形状保存的模式：命中 %1，未命中 %2，淘汰 %3</translation>
    </message>
    <message>
        <source>Later runs, by the same groups</source>
        <translation>后续运行,使用相同的组</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>%1 compiled, %2 unchanged</source>
        <translation>%1 个已编译,%2 个未变</translation>
    </message>
    <message>
        <source>bit-identical</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>reloads</source>
        <translation>可重新加载</translation>
    </message>
    <message>
        <source>It reloads and is bit-identical%1.</source>
        <translation>可重新加载且逐位相同%1。</translation>
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
        <translation>预热运行</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>%1: these times say nothing about its hardware</source>
        <translation>%1：这些时间不能说明其硬件的情况</translation>
    </message>
    <message>
        <source>Times of a simulator (%1). %2</source>
        <translation>模拟器的时间（%1）。%2</translation>
    </message>
    <message>
        <source>nodes outside of compiled groups</source>
        <translation>编译组以外的节点</translation>
    </message>
    <message>
        <source>Every node runs by kernel: nothing is compiled, so there is nothing to keep. Providers such as onednn or openvino compile groups of nodes: put one of them first among the providers.</source>
        <translation>每个节点都由内核执行：没有编译任何内容，因此没有可保留的内容。onednn 或 openvino 等提供者会编译节点组：请将其中之一排在提供者首位。</translation>
    </message>
    <message>
        <source>%1, %2 of the time in nodes</source>
        <translation>%1，占节点时间的 %2</translation>
    </message>
    <message>
        <source>Binary, as %1 tells it</source>
        <translation>二进制文件（由 %1 读出）</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyChoice</name>
    <message>
        <source>The session&apos;s own settings</source>
        <translation>会话自身的设置</translation>
    </message>
    <message>
        <source>only cpu</source>
        <translation>仅 cpu</translation>
    </message>
    <message>
        <source>The same model with the same optimisation, on the CPU kernels</source>
        <translation>同一模型、同样优化，在 CPU 内核上</translation>
    </message>
    <message>
        <source>not optimised</source>
        <translation>不优化</translation>
    </message>
    <message>
        <source>The same providers with the model as the file has it (level 0)</source>
        <translation>相同的 Provider，模型保持文件原样（级别 0）</translation>
    </message>
    <message>
        <source>only cpu, not optimised</source>
        <translation>仅 cpu，不优化</translation>
    </message>
    <message>
        <source>Only the CPU kernels, on the model as the file has it</source>
        <translation>仅用 CPU 内核，模型保持文件原样</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>%1, then cpu</source>
        <translation>%1，然后 cpu</translation>
    </message>
    <message>
        <source>Without the other providers</source>
        <translation>不使用其他 Provider</translation>
    </message>
    <message>
        <source>present settings</source>
        <translation>当前设置</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyController</name>
    <message>
        <source>Comparing %1 with %2</source>
        <translation>正在比较 %1 与 %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyPanel</name>
    <message>
        <source>First configuration</source>
        <translation>第一种配置</translation>
    </message>
    <message>
        <source>Second configuration</source>
        <translation>第二种配置</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>相对容差</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>绝对容差</translation>
    </message>
    <message>
        <source>Every value becomes an output, so that none is fused away; nodes that are fused otherwise run separately</source>
        <translation>每个值都成为输出，因此都不会被融合；原本融合的节点将分开运行</translation>
    </message>
    <message>
        <source>When values differ, the smallest part of the model that still differs is saved with its inputs as a test case</source>
        <translation>若值不同，则将仍然不同的最小模型部分连同其输入保存为测试用例</translation>
    </message>
    <message>
        <source>Colours the nodes of the graph by the error of their outputs</source>
        <translation>按节点输出的误差为图着色</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>with</source>
        <translation>与</translation>
    </message>
    <message>
        <source>Tolerance: relative</source>
        <translation>容差：相对</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>绝对</translation>
    </message>
    <message>
        <source>Both configurations run on the same inputs …</source>
        <translation>两种配置以相同输入运行…</translation>
    </message>
    <message>
        <source>The model cannot be run here, so there is nothing to compare.</source>
        <translation>模型不能在此运行，因此无可比较。</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Choose two different configurations.</source>
        <translation>请选择两种不同的配置。</translation>
    </message>
    <message>
        <source>Tolerances are numbers of 0 or more, such as 1e-3.</source>
        <translation>容差为不小于 0 的数，例如 1e-3。</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>请等待当前工作完成，或取消它。</translation>
    </message>
    <message>
        <source>Where the failing part is saved</source>
        <translation>失败部分的保存位置</translation>
    </message>
    <message>
        <source>Every layer</source>
        <translation>每一层</translation>
    </message>
    <message>
        <source>Save the failing part …</source>
        <translation>保存失败部分…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>首个差异</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>最差</translation>
    </message>
    <message>
        <source>Colour the graph by error</source>
        <translation>按误差为图着色</translation>
    </message>
    <message>
        <source>Open the failing part</source>
        <translation>打开失败部分</translation>
    </message>
    <message>
        <source>another model …</source>
        <translation>另一个模型…</translation>
    </message>
    <message>
        <source>Matched node by node, compared layer by layer</source>
        <translation>逐节点匹配，逐层比较</translation>
    </message>
    <message>
        <source>The model to compare with</source>
        <translation>要比较的模型</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort *.textproto)</source>
        <translation>模型 (*.onnx *.ort *.textproto)</translation>
    </message>
    <message>
        <source>Runs the model under two configurations, or beside another model, on the same inputs, and shows for every value how far they are apart: where they first differ, and where most.</source>
        <translation>在两种配置下，或与另一个模型一起，用相同的输入运行模型，并显示每个值的差距：最先在何处不同，以及何处差别最大。</translation>
    </message>
    <message>
        <source>Choose the model to compare with.</source>
        <translation>请选择要比较的模型。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AccuracyTables</name>
    <message>
        <source>▶ first</source>
        <translation>▶ 首个</translation>
    </message>
    <message>
        <source>▲ worst</source>
        <translation>▲ 最差</translation>
    </message>
    <message>
        <source>✗ outside</source>
        <translation>✗ 超出</translation>
    </message>
    <message>
        <source>? not comparable</source>
        <translation>? 无法比较</translation>
    </message>
    <message>
        <source>, worst</source>
        <translation>，最差</translation>
    </message>
    <message>
        <source>  (output)</source>
        <translation>  （输出）</translation>
    </message>
    <message>
        <source>%1 against %2: </source>
        <translation>%1 对 %2： </translation>
    </message>
    <message>
        <source>no value exists on both sides, so nothing was compared.</source>
        <translation>没有两侧都有的值，因此未作比较。</translation>
    </message>
    <message>
        <source>✓ all %1 values agree within the tolerance.</source>
        <translation>✓ 全部 %1 个值在容差内一致。</translation>
    </message>
    <message>
        <source>✗ %1 of %2 values differ, first at %3.</source>
        <translation>✗ %2 个值中有 %1 个不同，首个在 %3。</translation>
    </message>
    <message>
        <source> Worst: %1, %2 relative.</source>
        <translation>最差：%1，相对 %2。</translation>
    </message>
    <message>
        <source> %1 values are on one side only; “Every layer” keeps them all.</source>
        <translation>有 %1 个值只在一侧；“每一层”可全部保留。</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Place in the execution order</source>
        <translation>在执行顺序中的位置</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Providers that make it, on both sides</source>
        <translation>两侧产生它的 Provider</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>The largest |a - b|</source>
        <translation>最大的 |a - b|</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Root of the mean square of a - b</source>
        <translation>a - b 的均方根</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Of the two as vectors; 1: same direction</source>
        <translation>两者作为向量；1：方向相同</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>Elements beyond the tolerance</source>
        <translation>超出容差的元素</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1 elements are NaN or infinite on one side only.</source>
        <translation>%1 个元素仅在一侧为 NaN 或无穷。</translation>
    </message>
    <message>
        <source>The largest |a - b| / |b|; numbers below absolute / relative tolerance count as that much</source>
        <translation>最大的 |a - b| / |b|；小于“绝对容差 / 相对容差”的数按该值计</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ActivityBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Current work</source>
        <translation>正在进行的工作</translation>
    </message>
    <message>
        <source>Stop (Ctrl+.)</source>
        <translation>停止 (Ctrl+.)</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AdviceTables</name>
    <message>
        <source>nodes left to the last provider</source>
        <translation>留给最后一个提供者的节点</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>计划峰值</translation>
    </message>
    <message>
        <source>buffers without a size</source>
        <translation>大小未知的缓冲区</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>copied bytes</source>
        <translation>拷贝字节数</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>nodes after optimisation</source>
        <translation>优化后的节点</translation>
    </message>
    <message>
        <source>Nothing that was tried makes a figure smaller: %1 changes.</source>
        <translation>尝试过的更改都没有使任何数字变小：共 %1 项。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>Changes that help: %1; tried in vain: %2.</source>
        <translation>有帮助的更改：%1；尝试无效：%2。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>%1 (size assumed)</source>
        <translation>%1（大小为假定）</translation>
    </message>
    <message>
        <source>Gains</source>
        <translation>收益</translation>
    </message>
    <message>
        <source>But</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>验证方式</translation>
    </message>
    <message>
        <source>%1 (simulated hardware)</source>
        <translation>%1（模拟硬件）</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Of plans: before and after, as the analysis with the change gave them</source>
        <translation>计划的前后数值，来自带有该更改的分析</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AdviserPanel</name>
    <message>
        <source>Makes the chosen settings those of the session, or saves a changed copy of the model</source>
        <translation>将所选设置应用到会话，或保存更改后的模型副本</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Apply to a copy …</source>
        <translation>应用到副本…</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Applied: %1</source>
        <translation>已应用：%1</translation>
    </message>
    <message>
        <source>Changes are being tried …</source>
        <translation>正在尝试更改……</translation>
    </message>
    <message>
        <source>What should I change?</source>
        <translation>我应该改什么？</translation>
    </message>
    <message>
        <source>Tries settings, and changes of the model where nodes are refused, and shows those that save memory, copies, groups or nodes.</source>
        <translation>尝试不同设置，并在有节点被拒绝时尝试更改模型，然后列出能节省内存、拷贝、分组或节点的更改。</translation>
    </message>
    <message>
        <source>Ask the adviser</source>
        <translation>询问顾问</translation>
    </message>
    <message>
        <source>Each re-runs the analysis; cancelling changes nothing.</source>
        <translation>每项都会重新运行分析；取消不会改变任何内容。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::AllocatePanel</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>kind %1</source>
        <translation>种类 %1</translation>
    </message>
    <message>
        <source>Only %1</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source>In place and views</source>
        <translation>原地与视图</translation>
    </message>
    <message>
        <source>Parts and into outputs</source>
        <translation>部分与写入输出</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，用时 %2</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>全部规则</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>全部种类</translation>
    </message>
    <message>
        <source>Values and their places</source>
        <translation>值及其位置</translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation>内存属于</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>所有设备</translation>
    </message>
    <message>
        <source>Planned by the rules of onnxruntime.</source>
        <translation>按 onnxruntime 的规则规划。</translation>
    </message>
    <message>
        <source>Planned by the rules of onnxruntime&apos;s builds for training.</source>
        <translation>按 onnxruntime 训练版本的规则规划。</translation>
    </message>
    <message>
        <source>New buffers</source>
        <translation>新缓冲区</translation>
    </message>
    <message>
        <source>From the free list</source>
        <translation>来自空闲列表</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::BindingBar</name>
    <message>
        <source>1 pin</source>
        <translation>1 个固定</translation>
    </message>
    <message>
        <source>%1 pins</source>
        <translation>%1 个固定</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>级别 %1</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>所有核心</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>order %1</source>
        <translation>顺序 %1</translation>
    </message>
    <message>
        <source>rules %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Shapes and configuration</source>
        <translation>形状与配置</translation>
    </message>
    <message>
        <source>All dimensions</source>
        <translation>所有维度</translation>
    </message>
    <message>
        <source>Plan each</source>
        <translation>逐个规划</translation>
    </message>
    <message>
        <source>Plan each and run it %1 times</source>
        <translation>逐个规划并各运行 %1 次</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Sizes of %1</source>
        <translation>%1 的尺寸</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>One size, or several to sweep over: 8, or 1, 8, 32, or 1..32, or 16..64:16; empty: open</source>
        <translation>一个尺寸，或多个用于扫描：8，或 1, 8, 32，或 1..32，或 16..64:16；留空：未定</translation>
    </message>
    <message>
        <source>Sweep %1 shapes</source>
        <translation>扫描 %1 个形状</translation>
    </message>
    <message>
        <source>Latency and planned peak for every combination of sizes</source>
        <translation>每种尺寸组合的延迟和规划峰值</translation>
    </message>
    <message>
        <source>At most %1 combinations</source>
        <translation>最多 %1 种组合</translation>
    </message>
    <message>
        <source>What if: 1 change</source>
        <translation>假设：1 项更改</translation>
    </message>
    <message>
        <source>What if: %1 changes</source>
        <translation>假设：%1 项更改</translation>
    </message>
    <message>
        <source>unnamed sizes open</source>
        <translation>未命名的尺寸待定</translation>
    </message>
    <message>
        <source>Inputs have dimensions without a name: the tensors that are fed give them their sizes</source>
        <translation>输入含有没有名称的维度：其大小由送入的张量决定</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::BindingWords</name>
    <message>
        <source>%1 = %2 (this run)</source>
        <translation>%1 = %2（本次运行）</translation>
    </message>
    <message>
        <source>%1 open</source>
        <translation>%1 未定</translation>
    </message>
    <message>
        <source>fixed shapes</source>
        <translation>固定形状</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 和另外 %2 个</translation>
    </message>
    <message>
        <source>unnamed sizes open</source>
        <translation>未命名的尺寸待定</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasBar</name>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>节点着色依据</translation>
    </message>
    <message>
        <source>Fold all scopes</source>
        <translation>折叠全部作用域</translation>
    </message>
    <message>
        <source>Unfold all scopes</source>
        <translation>展开全部作用域</translation>
    </message>
    <message>
        <source>Zoom out (Shift+Down)</source>
        <translation>缩小 (Shift+Down)</translation>
    </message>
    <message>
        <source>Actual size (Shift+Backspace)</source>
        <translation>实际大小 (Shift+Backspace)</translation>
    </message>
    <message>
        <source>Zoom in (Shift+Up)</source>
        <translation>放大 (Shift+Up)</translation>
    </message>
    <message>
        <source>Fit the whole graph (Space)</source>
        <translation>适合整个图 (空格)</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Colours of the present partition</source>
        <translation>当前分区的颜色</translation>
    </message>
    <message>
        <source>Colours of the partition that was tried out</source>
        <translation>所试分区的颜色</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>关闭比较</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>返回 %1</translation>
    </message>
    <message>
        <source>Grouping, direction and contents of cards</source>
        <translation>分组、方向与卡片内容</translation>
    </message>
    <message>
        <source>Group nodes by</source>
        <translation>节点分组依据</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>From left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Layout by Graphviz</source>
        <translation>用 Graphviz 布局</translation>
    </message>
    <message>
        <source>Nodes inside compiled groups</source>
        <translation>编译组内的节点</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasFinder</name>
    <message>
        <source>in %1</source>
        <translation>于 %1</translation>
    </message>
    <message>
        <source>%1 in bodies</source>
        <translation>%1 个在子图中</translation>
    </message>
    <message>
        <source>%1 in compiled groups</source>
        <translation>%1 个在编译后的组中</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CanvasPane</name>
    <message>
        <source>The graph cannot be shown: %1</source>
        <translation>无法显示计算图：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CommandMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CommandPalette</name>
    <message>
        <source>No command matches. Try fewer letters.</source>
        <translation>没有匹配的命令。请少输几个字母。</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>想做什么？</translation>
    </message>
    <message>
        <source>Arrow keys choose, Enter runs, Esc closes.</source>
        <translation>方向键选择，Enter 执行，Esc 关闭。</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ComparisonControls</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>比较进度</translation>
    </message>
    <message>
        <source>Use this configuration, and run all stages again</source>
        <translation>使用此配置，并重新执行所有阶段</translation>
    </message>
    <message>
        <source>Back to the configuration of the session</source>
        <translation>恢复会话的配置</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>This is the session&apos;s configuration. Change something, then compare.</source>
        <translation>这是会话的配置。先作更改，再比较。</translation>
    </message>
    <message>
        <source>What if it %1?</source>
        <translation>如果它%1，会怎样？</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ContextPanel</name>
    <message>
        <source>Context nodes</source>
        <translation>上下文节点</translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation>保留内容</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1, %2 main</source>
        <translation>%1，%2 个主节点</translation>
    </message>
    <message>
        <source>Usable here</source>
        <translation>此处可用</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Compiled by</source>
        <translation>编译者</translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation>已编译部分</translation>
    </message>
    <message>
        <source>Original nodes inside</source>
        <translation>内部原始节点</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Nodes in them</source>
        <translation>其中节点</translation>
    </message>
    <message>
        <source>Weights in them</source>
        <translation>其中权重</translation>
    </message>
    <message>
        <source>As placeholders</source>
        <translation>作为占位</translation>
    </message>
    <message>
        <source>The context model could not be used; its original was opened instead: %1</source>
        <translation>上下文模型不能使用；已改为打开其原始模型：%1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Compiled groups kept</source>
        <translation>保留的编译组</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CreationPage</name>
    <message>
        <source>Flame chart of making the session</source>
        <translation>创建会话的火焰图</translation>
    </message>
    <message>
        <source>The time that loading, optimizing, partitioning and making kernels take is shown here once the session is ready.</source>
        <translation>会话就绪后，此处显示加载、优化、划分和创建内核各用多长时间。</translation>
    </message>
    <message>
        <source>Spans of the creation</source>
        <translation>创建过程的时间段</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CurePanel</name>
    <message>
        <source>Proposals</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Saves the model with all proved changes as a file of its own, and opens it</source>
        <translation>将包含全部已验证改动的模型另存为单独文件并打开</translation>
    </message>
    <message>
        <source>Saves the model with the chosen change as a file of its own, and opens it</source>
        <translation>将包含所选改动的模型另存为单独文件并打开</translation>
    </message>
    <message>
        <source>Apply all to a copy …</source>
        <translation>全部应用到副本…</translation>
    </message>
    <message>
        <source>Apply to a copy …</source>
        <translation>应用到副本…</translation>
    </message>
    <message>
        <source>Apply the chosen one …</source>
        <translation>应用所选项…</translation>
    </message>
    <message>
        <source>The provider is being asked …</source>
        <translation>正在询问 Provider…</translation>
    </message>
    <message>
        <source>Each question is about a changed copy of the model; cancelling leaves everything as it is.</source>
        <translation>每次询问的都是模型的一个修改副本；取消后一切保持原样。</translation>
    </message>
    <message>
        <source>Why not all nodes?</source>
        <translation>为什么不是全部节点？</translation>
    </message>
    <message>
        <source>Looks for changes of the model that free the nodes which the first provider refuses: asks it again about each, and compares the results with the original&apos;s.</source>
        <translation>寻找能让首个 Provider 接受其所拒绝节点的模型改动：针对每个改动重新询问，并与原模型的结果比较。</translation>
    </message>
    <message>
        <source>Find a cure</source>
        <translation>寻找解决办法</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CureTables</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>not compared: %1</source>
        <translation>未比较：%1</translation>
    </message>
    <message>
        <source>differ: %1</source>
        <translation>不同：%1</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>within tolerance, at most %1 apart</source>
        <translation>在容差内，最多相差 %1</translation>
    </message>
    <message>
        <source>There is nothing to cure.</source>
        <translation>无需解决。</translation>
    </message>
    <message>
        <source>No change was found that frees a node; asked about: %1.</source>
        <translation>没有找到能释放节点的改动；询问次数：%1。</translation>
    </message>
    <message>
        <source>No proposal keeps the results.</source>
        <translation>没有任何建议能保持结果不变。</translation>
    </message>
    <message>
        <source>%1 nodes, groups %2</source>
        <translation>%1 个节点，组 %2</translation>
    </message>
    <message>
        <source>Compiled are %1.</source>
        <translation>已编译 %1。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>%1 (size assumed)</source>
        <translation>%1（大小为假定）</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>That the provider takes, as it answered: before and after</source>
        <translation>Provider 回答会接受的节点：之前与之后</translation>
    </message>
    <message>
        <source>Gained</source>
        <translation>增加</translation>
    </message>
    <message>
        <source>How many fewer nodes are left to other providers</source>
        <translation>留给其他 Provider 的节点减少了这么多</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>That the provider does now and did not do before, of nodes whose sizes are known</source>
        <translation>Provider 现在新增承担的运算量（仅计大小已知的节点）</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Original and changed model on the same random inputs, on the CPU</source>
        <translation>原模型与修改后的模型在 CPU 上使用相同的随机输入</translation>
    </message>
    <message>
        <source>But</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>With %1: %2.</source>
        <translation>采用 %1：%2。</translation>
    </message>
    <message>
        <source>With %1 changes on top of each other: %2.</source>
        <translation>叠加 %1 项改动：%2。</translation>
    </message>
    <message>
        <source>%1 claims %2 nodes.</source>
        <translation>%1 请求 %2 个节点。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::CurveChart</name>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DerivePanel</name>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>The nodes are being read …</source>
        <translation>正在读取节点…</translation>
    </message>
    <message>
        <source>What would the nodes alone say?</source>
        <translation>仅凭节点会得出什么？</translation>
    </message>
    <message>
        <source>Reads the nodes as ONNX Runtime does for a graph built in memory, and sets the lists of inputs and outputs that they give beside those of the file.</source>
        <translation>像 ONNX Runtime 处理内存中构建的图那样读取节点，并把由此得出的输入和输出列表与文件中的列表并列显示。</translation>
    </message>
    <message>
        <source>Derive the lists</source>
        <translation>推导列表</translation>
    </message>
    <message>
        <source>Set inputs:</source>
        <translation>设定输入：</translation>
    </message>
    <message>
        <source>Names between commas: the list of inputs as code that builds the graph sets it. Empty: the rule finds them.</source>
        <translation>以逗号分隔的名称：即构建计算图的代码所设定的输入列表。留空：由规则找出。</translation>
    </message>
    <message>
        <source>Set outputs:</source>
        <translation>设定输出：</translation>
    </message>
    <message>
        <source>Names between commas: the list of outputs as code that builds the graph sets it. Empty: the rule finds them.</source>
        <translation>以逗号分隔的名称：即构建计算图的代码所设定的输出列表。留空：由规则找出。</translation>
    </message>
    <message>
        <source>Derive again</source>
        <translation>重新推导</translation>
    </message>
    <message>
        <source>found by the rule</source>
        <translation>由规则找出</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DeriveRows</name>
    <message>
        <source>inputs including initializers</source>
        <translation>输入（含初始化器）</translation>
    </message>
    <message>
        <source>inputs excluding initializers</source>
        <translation>输入（不含初始化器）</translation>
    </message>
    <message>
        <source>overridable initializers</source>
        <translation>可覆盖的初始化器</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>value_info (intermediates)</source>
        <translation>value_info（中间值）</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>Inputs and outputs by the nodes alone: %1 and %2; as the file lists them: %3 and %4.</source>
        <translation>仅按节点得出的输入与输出：%1 和 %2；文件所列：%3 和 %4。</translation>
    </message>
    <message>
        <source>There is no difference.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>Differences: %1.</source>
        <translation>差异：%1。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>From the nodes</source>
        <translation>由节点得出</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source> Bodies of control flow: %1.</source>
        <translation> 控制流子图：%1。</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DevicesPage</name>
    <message>
        <source>Memory of devices</source>
        <translation>设备内存</translation>
    </message>
    <message>
        <source>Copies between host and devices</source>
        <translation>主机与设备之间的复制</translation>
    </message>
    <message>
        <source>Captured segments</source>
        <translation>捕获的段</translation>
    </message>
    <message>
        <source>Nodes that end a captured segment</source>
        <translation>使捕获段结束的节点</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>After a run on a GPU, its memory, its copies and its captured segments are shown here.</source>
        <translation>在 GPU 上运行之后，这里显示其内存、复制和捕获的段。</translation>
    </message>
    <message>
        <source>No device took part in this run</source>
        <translation>没有设备参与此次运行</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Copies (%1)</source>
        <translation>复制 (%1)</translation>
    </message>
    <message>
        <source>Captured segments (%1)</source>
        <translation>捕获的段 (%1)</translation>
    </message>
    <message>
        <source>What ends them (%1)</source>
        <translation>段的终止原因 (%1)</translation>
    </message>
    <message>
        <source>Every node ran on the host. With cuda first among the providers, a GPU runs the nodes that it supports.</source>
        <translation>所有节点都在主机上运行。将 cuda 排在提供者首位后，GPU 会运行其支持的节点。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DistributionView</name>
    <message>
        <source>Runs of both profiles</source>
        <translation>两份性能数据的运行</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DockTitle</name>
    <message>
        <source>Close this panel</source>
        <translation>关闭此面板</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Document</name>
    <message>
        <source>%1 (edited, not saved)</source>
        <translation>%1（已编辑，未保存）</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DocumentPage</name>
    <message>
        <source>It cannot run here; everything about it is shown.</source>
        <translation>它不能在此运行；其余一切均可查看。</translation>
    </message>
    <message>
        <source>There is nothing to show here.</source>
        <translation>这里没有可显示的内容。</translation>
    </message>
    <message>
        <source>What could be read is shown.</source>
        <translation>已显示可读取的部分。</translation>
    </message>
    <message>
        <source>%1: 1 node</source>
        <translation>%1:1 个节点</translation>
    </message>
    <message>
        <source>%1: %2 nodes</source>
        <translation>%1:%2 个节点</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>展开</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::DraftEditor</name>
    <message>
        <source>Providers by priority</source>
        <translation>按优先级排列的 Provider</translation>
    </message>
    <message>
        <source>Pins</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Smallest compiled group, in nodes</source>
        <translation>最小编译组（节点数）</translation>
    </message>
    <message>
        <source>Smallest compiled group</source>
        <translation>最小编译组</translation>
    </message>
    <message>
        <source>Providers, highest priority first</source>
        <translation>Provider，优先级最高者在前</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Options, key=value</source>
        <translation>选项，键=值</translation>
    </message>
    <message>
        <source>Higher priority</source>
        <translation>提高优先级</translation>
    </message>
    <message>
        <source>Lower priority</source>
        <translation>降低优先级</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Higher priority (Alt+Up)</source>
        <translation>提高优先级 (Alt+Up)</translation>
    </message>
    <message>
        <source>Lower priority (Alt+Down)</source>
        <translation>降低优先级 (Alt+Down)</translation>
    </message>
    <message>
        <source>Remove (Del)</source>
        <translation>移除 (Del)</translation>
    </message>
    <message>
        <source>Add a provider</source>
        <translation>添加 Provider</translation>
    </message>
    <message>
        <source>Remove pin</source>
        <translation>移除固定</translation>
    </message>
    <message>
        <source>Remove the chosen pin (Del)</source>
        <translation>移除所选固定 (Del)</translation>
    </message>
    <message>
        <source>None. Right-click a node on the graph or in the table to pin it, its operator or its scope.</source>
        <translation>无。在图或表中右键单击节点，可固定它、它的算子或它的作用域。</translation>
    </message>
    <message>
        <source>%1 is always last and runs what no other provider claimed.</source>
        <translation>%1 总在最后，运行其他 Provider 未认领的节点。</translation>
    </message>
    <message>
        <source>Options of %1, as in its manual page: key=value, separated by commas</source>
        <translation>%1 的选项，见其手册页：键=值，以逗号分隔</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditCheck</name>
    <message>
        <source>There is no value called %1.</source>
        <translation>没有名为 %1 的值。</translation>
    </message>
    <message>
        <source>A value needs a name.</source>
        <translation>值需要名称。</translation>
    </message>
    <message>
        <source>Another value is called %1 already.</source>
        <translation>已有另一个值名为 %1。</translation>
    </message>
    <message>
        <source>%1 is not a dimension: write a number, a name, or nothing.</source>
        <translation>%1 不是维度：请写数字、名称，或留空。</translation>
    </message>
    <message>
        <source>Write a number or another name.</source>
        <translation>请写数字或另一个名称。</translation>
    </message>
    <message>
        <source>%1 is neither a number nor a name.</source>
        <translation>%1 既不是数字也不是名称。</translation>
    </message>
    <message>
        <source>A dimension of 0 leaves nothing to compute: write 1 or more.</source>
        <translation>维度为 0 就没有可计算的内容：请写 1 或更大。</translation>
    </message>
    <message>
        <source>No input has a dimension called %1.</source>
        <translation>没有输入含有名为 %1 的维度。</translation>
    </message>
    <message>
        <source>It has no output to bypass.</source>
        <translation>它没有可旁路的输出。</translation>
    </message>
    <message>
        <source>None of its inputs has the type of its output (%1), so readers have nothing to read instead.</source>
        <translation>它的输入都没有其输出的类型（%1），读取者没有可替代的内容。</translation>
    </message>
    <message>
        <source>It has no inputs that its readers could read instead.</source>
        <translation>它没有读取者可改读的输入。</translation>
    </message>
    <message>
        <source>The node is no longer in the model.</source>
        <translation>该节点已不在模型中。</translation>
    </message>
    <message>
        <source>It is the only node: nothing would be left.</source>
        <translation>它是唯一的节点：删除后什么也不剩。</translation>
    </message>
    <message>
        <source>Another node is called %1 already.</source>
        <translation>已有另一个节点名为 %1。</translation>
    </message>
    <message>
        <source>Write a value.</source>
        <translation>请写一个值。</translation>
    </message>
    <message>
        <source>It is an output already.</source>
        <translation>它已经是输出。</translation>
    </message>
    <message>
        <source>No node makes it: only values that are computed can be outputs.</source>
        <translation>没有节点产生它：只有计算得到的值才能成为输出。</translation>
    </message>
    <message>
        <source>It is not an output.</source>
        <translation>它不是输出。</translation>
    </message>
    <message>
        <source>It is the only output: nothing would be computed.</source>
        <translation>它是唯一的输出：将不再计算任何内容。</translation>
    </message>
    <message>
        <source>Name at least one value that the part ends with.</source>
        <translation>请至少指定一个作为结尾的值。</translation>
    </message>
    <message>
        <source>There is no such graph.</source>
        <translation>没有这样的图。</translation>
    </message>
    <message>
        <source>%1 is not an element type.</source>
        <translation>%1 不是元素类型。</translation>
    </message>
    <message>
        <source>A key needs a name.</source>
        <translation>键需要名称。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditField</name>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditList</name>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>rename value %1 to %2</source>
        <translation>将值 %1 改名为 %2</translation>
    </message>
    <message>
        <source>type of %1 = %2</source>
        <translation>%1 的类型 = %2</translation>
    </message>
    <message>
        <source>shape of %1 = [%2]</source>
        <translation>%1 的形状 = [%2]</translation>
    </message>
    <message>
        <source>dimension %1 = %2</source>
        <translation>维度 %1 = %2</translation>
    </message>
    <message>
        <source>rename %1 to %2</source>
        <translation>将 %1 改名为 %2</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>bypass %1</source>
        <translation>绕过 %1</translation>
    </message>
    <message>
        <source>%1 of %2 = %3</source>
        <translation>%2 的 %1 = %3</translation>
    </message>
    <message>
        <source>remove %1 of %2</source>
        <translation>移除 %2 的 %1</translation>
    </message>
    <message>
        <source>%1 becomes an output</source>
        <translation>%1 成为输出</translation>
    </message>
    <message>
        <source>%1 is no longer an output</source>
        <translation>%1 不再是输出</translation>
    </message>
    <message>
        <source>extract what leads from %1 to %2</source>
        <translation>提取从 %1 到 %2 的部分</translation>
    </message>
    <message>
        <source>metadata %1 = %2</source>
        <translation>元数据 %1 = %2</translation>
    </message>
    <message>
        <source>remove metadata %1</source>
        <translation>移除元数据 %1</translation>
    </message>
    <message>
        <source>producer = %1</source>
        <translation>生成者 = %1</translation>
    </message>
    <message>
        <source>documentation = %1</source>
        <translation>文档 = %1</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the latest edit (Ctrl+Z)</source>
        <translation>撤销最近一次编辑 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo the edit (Ctrl+Shift+Z)</source>
        <translation>重做编辑 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Write the edited model to a file; the file that is open stays as it is</source>
        <translation>将编辑后的模型写入文件；打开的文件保持不变</translation>
    </message>
    <message>
        <source>Saving …</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Open a model to edit it.</source>
        <translation>打开模型以进行编辑。</translation>
    </message>
    <message>
        <source>Nothing is edited. The file on the disk stays as it is until an edited model is saved over it.</source>
        <translation>没有任何编辑。在用编辑后的模型覆盖之前，磁盘上的文件保持不变。</translation>
    </message>
    <message>
        <source>● Edited, not saved.</source>
        <translation>● 已编辑，未保存。</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已另存为 %1。</translation>
    </message>
    <message>
        <source>Save the edited model</source>
        <translation>保存编辑后的模型</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;Text (*.textproto *.onnxtxt);;All files (*)</source>
        <translation>ONNX 模型 (*.onnx);;文本 (*.textproto *.onnxtxt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Replace file?</source>
        <translation>替换文件？</translation>
    </message>
    <message>
        <source>%1 is the model that is open. Replace it by the edited one?</source>
        <translation>%1 是当前打开的模型。要用编辑后的模型替换它吗？</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
    <message>
        <source>What is in it now will be lost.</source>
        <translation>其中现有的内容将丢失。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EditPanel</name>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Extract</source>
        <translation>提取</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::EngineService</name>
    <message>
        <source>Processing %1</source>
        <translation>正在处理 %1</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在验证</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ErrorBanner</name>
    <message>
        <source>Show node</source>
        <translation>显示节点</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>file %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>值 %1</translation>
    </message>
    <message>
        <source>All problems</source>
        <translation>所有问题</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Error message</source>
        <translation>错误消息</translation>
    </message>
    <message>
        <source>Where the error is</source>
        <translation>错误位置</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>接下来该做什么</translation>
    </message>
    <message>
        <source>Copies the whole message</source>
        <translation>复制完整消息</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ErrorChart</name>
    <message>
        <source>Error along the execution order</source>
        <translation>沿执行顺序的误差</translation>
    </message>
    <message>
        <source>first</source>
        <translation>首个</translation>
    </message>
    <message>
        <source>relative error %1</source>
        <translation>相对误差 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportForm</name>
    <message>
        <source>Browse …</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Replace existing files</source>
        <translation>替换已有文件</translation>
    </message>
    <message>
        <source>Reload and verify</source>
        <translation>重新加载并验证</translation>
    </message>
    <message>
        <source>in files beside the model</source>
        <translation>在模型旁的文件中</translation>
    </message>
    <message>
        <source>inside the model&apos;s file</source>
        <translation>在模型文件内</translation>
    </message>
    <message>
        <source>in a file of their own</source>
        <translation>在单独的文件中</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Put before the names of context nodes and partitions, so that several models that share a binary stay apart.</source>
        <translation>加在上下文节点和分区名称之前，使共享一个二进制文件的多个模型互不混淆。</translation>
    </message>
    <message>
        <source>Weights of nodes that stay outside of compiled groups.</source>
        <translation>编译组之外的节点的权重。</translation>
    </message>
    <message>
        <source> KB</source>
        <translation> KB</translation>
    </message>
    <message>
        <source>Smaller weights stay in the model&apos;s file.</source>
        <translation>更小的权重留在模型文件中。</translation>
    </message>
    <message>
        <source>Without it you are asked before anything is replaced.</source>
        <translation>不勾选时，替换任何内容前都会询问。</translation>
    </message>
    <message>
        <source>Opens what was written, runs it beside the original on the same inputs, and compares outputs and times.</source>
        <translation>打开所写的模型，以相同输入与原模型并排运行，比较输出和时间。</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation>已编译部分</translation>
    </message>
    <message>
        <source>Name prefix</source>
        <translation>名称前缀</translation>
    </message>
    <message>
        <source>File of other weights</source>
        <translation>其余权重的文件</translation>
    </message>
    <message>
        <source>Smallest weights that go there</source>
        <translation>写入该文件的最小权重</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>Write the context model to</source>
        <translation>将上下文模型写入</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Name a file to write to.</source>
        <translation>请指定要写入的文件。</translation>
    </message>
    <message>
        <source>%1 is a folder: name a file in it.</source>
        <translation>%1 是文件夹：请指定其中的文件。</translation>
    </message>
    <message>
        <source>The file&apos;s name needs an ending, such as .onnx.</source>
        <translation>文件名需要扩展名，例如 .onnx。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>This is the model itself: write the context model to another file.</source>
        <translation>这就是模型本身：请把上下文模型写入另一个文件。</translation>
    </message>
    <message>
        <source>The file of other weights is written beside the model: give a name without a folder.</source>
        <translation>其他权重的文件写在模型旁边：请给出不含文件夹的名称。</translation>
    </message>
    <message>
        <source>embedded</source>
        <translation>内嵌</translation>
    </message>
    <message>
        <source>Remaining initializers</source>
        <translation>其余初始化器</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExportPage</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Again …</source>
        <translation>再次…</translation>
    </message>
    <message>
        <source>What was exported, and how it compares</source>
        <translation>导出的内容及比较结果</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>The cutaway-cli command that writes the same files</source>
        <translation>写出相同文件的 cutaway-cli 命令</translation>
    </message>
    <message>
        <source>The exported model in a tab of its own</source>
        <translation>在新标签页中打开导出的模型</translation>
    </message>
    <message>
        <source>Shows the folder that the files were written to</source>
        <translation>显示写入文件的文件夹</translation>
    </message>
    <message>
        <source>Back to the options</source>
        <translation>返回选项</translation>
    </message>
    <message>
        <source>Opens it again, runs both, and compares outputs and times</source>
        <translation>再次打开，运行两者，并比较输出和时间</translation>
    </message>
    <message>
        <source>%1 already exists: %2, written %3. Replace it?</source>
        <translation>%1 已存在：%2，写于 %3。要替换吗？</translation>
    </message>
    <message>
        <source>Exporting …</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Exporting: %1</source>
        <translation>正在导出：%1</translation>
    </message>
    <message>
        <source>Written. Verifying …</source>
        <translation>已写入。正在验证…</translation>
    </message>
    <message>
        <source>Written. Verifying: %1</source>
        <translation>已写入。正在验证：%1</translation>
    </message>
    <message>
        <source>%1 was written before it could be stopped.</source>
        <translation>%1 在停止之前已写完。</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source> Verifying was cancelled.</source>
        <translation>验证已取消。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>已取消。没有写入任何内容。</translation>
    </message>
    <message>
        <source>This model is compiled already.</source>
        <translation>此模型已经编译过。</translation>
    </message>
    <message>
        <source>The model is not partitioned yet.</source>
        <translation>模型尚未分区。</translation>
    </message>
    <message>
        <source>Compiles the groups as this session does and writes them to the file.</source>
        <translation>像此会话那样编译各组，并写入文件。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Verify again</source>
        <translation>再次验证</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>No file manager was found. The folder is %1</source>
        <translation>未找到文件管理器。文件夹为 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ExtractForm</name>
    <message>
        <source>Extract</source>
        <translation>提取</translation>
    </message>
    <message>
        <source>Use the selection</source>
        <translation>使用所选内容</translation>
    </message>
    <message>
        <source>values that it begins with, separated by commas</source>
        <translation>作为开头的值，以逗号分隔</translation>
    </message>
    <message>
        <source>values that it ends with</source>
        <translation>作为结尾的值</translation>
    </message>
    <message>
        <source>Keeps only the nodes between the given values. Select the first and the last node on the graph (Ctrl adds one), then use the selection.</source>
        <translation>只保留给定值之间的节点。在图上选择首个和末个节点（按 Ctrl 追加），然后使用所选内容。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>%1 of %2 nodes stay.</source>
        <translation>保留 %2 个节点中的 %1 个。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FiguresView</name>
    <message>
        <source>Figures now and what if</source>
        <translation>现在与假设的数据</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FileWatch</name>
    <message>
        <source>%1 was deleted or moved. What is open stays; reading it again is not possible.</source>
        <translation>%1 已被删除或移动。已打开的内容保留，但无法重新读取。</translation>
    </message>
    <message>
        <source>%1 changed on disk.</source>
        <translation>%1 在磁盘上已更改。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Always reload</source>
        <translation>始终重新加载</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::FindBar</name>
    <message>
        <source>Find in the graph</source>
        <translation>在图中查找</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Find: conv op:Relu time&gt;1ms</source>
        <translation>查找：conv op:Relu time&gt;1ms</translation>
    </message>
    <message>
        <source>What is wrong with the query</source>
        <translation>查询的问题</translation>
    </message>
    <message>
        <source>What can be searched for</source>
        <translation>可搜索的内容</translation>
    </message>
    <message>
        <source>%1 (at “%2”)</source>
        <translation>%1（在“%2”处）</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GraphAccessible</name>
    <message>
        <source>Graph %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>%1 nodes, shown as %2 items. Arrow keys go from node to node, Enter unfolds or enters, Escape clears the selection.</source>
        <translation>%1 个节点，显示为 %2 个条目。方向键在节点间移动，Enter 展开或进入，Esc 清除选择。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::GuidedTour</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Tour of the window</source>
        <translation>窗口导览</translation>
    </message>
    <message>
        <source>The stages of a model</source>
        <translation>模型的各阶段</translation>
    </message>
    <message>
        <source>Each button is a stage that an inference engine puts a model through, with its headline figure. Alt+1 to Alt+9 choose one.</source>
        <translation>每个按钮是推理引擎处理模型的一个阶段，并显示其关键数字。Alt+1 到 Alt+9 选择阶段。</translation>
    </message>
    <message>
        <source>The graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>It is coloured by what the stage is about. The wheel scrolls, with Ctrl it zooms, Space shows all of it; a click chooses a node, a double click unfolds a group or enters a body.</source>
        <translation>图按当前阶段着色。滚轮滚动，按住 Ctrl 缩放，空格键显示全部；单击选择节点，双击展开分组或进入子图。</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Ctrl+F finds nodes by name, operator, type, shape or what a stage knows: op:Conv, provider:cpu, time&gt;1ms. All hits light up at once.</source>
        <translation>Ctrl+F 按名称、算子、类型、形状或阶段信息查找节点：op:Conv、provider:cpu、time&gt;1ms。所有匹配项同时高亮。</translation>
    </message>
    <message>
        <source>The panel of the stage</source>
        <translation>阶段面板</translation>
    </message>
    <message>
        <source>Tables and pictures about the stage. What is chosen here is chosen on the graph as well, and stays chosen in every stage. F9 hides it.</source>
        <translation>关于该阶段的表格和图。此处的选择也会在图上选中，并在各阶段保持。F9 隐藏面板。</translation>
    </message>
    <message>
        <source>The inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Everything about the selection: attributes, inputs and outputs, which provider runs the node and why others refused, its memory and its time. F8 hides it.</source>
        <translation>所选内容的全部信息：属性、输入输出、由哪个 Provider 执行以及其他 Provider 拒绝的原因、内存和时间。F8 隐藏。</translation>
    </message>
    <message>
        <source>Everything by keyboard</source>
        <translation>全键盘操作</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P opens the command palette: a few letters find every command, panel, overlay and recent file. The question mark shows all keys.</source>
        <translation>Ctrl+Shift+P 打开命令面板：输入几个字母即可找到任何命令、面板、着色方式和最近文件。问号显示所有按键。</translation>
    </message>
    <message>
        <source>Your own models</source>
        <translation>您自己的模型</translation>
    </message>
    <message>
        <source>Ctrl+O opens them, or drop them on the window. Sessions keep settings, edits and bookmarks. This tour waits in the Help menu.</source>
        <translation>按 Ctrl+O 打开，或拖放到窗口。会话保存设置、编辑和书签。本导览可在“帮助”菜单中再次打开。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Shapes and configuration</source>
        <translation>形状与配置</translation>
    </message>
    <message>
        <source>Sizes of open dimensions and the settings that everything is done with. One size binds a dimension; several, as in 1, 8, 32, are swept into curves of latency and memory.</source>
        <translation>未定维度的尺寸以及一切操作所用的设置。一个尺寸会绑定该维度；多个尺寸（如 1, 8, 32）会被扫描成延迟和内存曲线。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::HistogramChart</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>%1 to %2: %3 (%4)</source>
        <translation>%1 至 %2：%3（%4）</translation>
    </message>
    <message>
        <source>No finite numbers</source>
        <translation>没有有限数值</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>平均 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::HistogramPage</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Logarithmic counts</source>
        <translation>对数计数</translation>
    </message>
    <message>
        <source>zero: %1</source>
        <translation>零：%1</translation>
    </message>
    <message>
        <source>⚠ NaN: %1</source>
        <translation>⚠ NaN：%1</translation>
    </message>
    <message>
        <source>⚠ infinite: %1</source>
        <translation>⚠ 无穷：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::InspectorPanel</name>
    <message>
        <source>Choose a node or a line on the graph,
or a row in a table.</source>
        <translation>在图上选择节点或连线，
或在表中选择一行。</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>所选内容的详情</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copied %1</source>
        <translation>已复制 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ItemAccessible</name>
    <message>
        <source>Selects it</source>
        <translation>选择它</translation>
    </message>
    <message>
        <source>Unfolds it, or enters its body</source>
        <translation>展开它，或进入其子图</translation>
    </message>
    <message>
        <source>Opens its menu</source>
        <translation>打开其菜单</translation>
    </message>
    <message>
        <source>Group %1, %2 nodes</source>
        <translation>组 %1，%2 个节点</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LifeChart</name>
    <message>
        <source>Chart of buffers over steps</source>
        <translation>缓冲区随步骤变化图</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source> · offset %1</source>
        <translation> · 偏移 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LinkedTable</name>
    <message>
        <source>Filter: all words must match</source>
        <translation>筛选：须匹配所有词</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>将表保存为 CSV…</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>Steps %1–%2</source>
        <translation>步骤 %1–%2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LoadPanel</name>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>External files</source>
        <translation>外部文件</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>, IR %1</source>
        <translation>，IR %1</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Nodes, all graphs</source>
        <translation>节点，所有图</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，用时 %2</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Memory added</source>
        <translation>新增内存</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生产者</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LogPanel</name>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>What is written</source>
        <translation>记录的内容</translation>
    </message>
    <message>
        <source>What is written from now on, in all windows</source>
        <translation>从现在起在所有窗口中记录的内容</translation>
    </message>
    <message>
        <source>All categories</source>
        <translation>所有类别</translation>
    </message>
    <message>
        <source>Category that is shown</source>
        <translation>显示的类别</translation>
    </message>
    <message>
        <source>Keeps the latest message in sight</source>
        <translation>保持最新消息可见</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copies the messages that are shown</source>
        <translation>复制所显示的消息</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Saves the messages that are shown as text</source>
        <translation>将所显示的消息保存为文本</translation>
    </message>
    <message>
        <source>Copied %1 lines</source>
        <translation>已复制 %1 行</translation>
    </message>
    <message>
        <source>Save the log</source>
        <translation>保存日志</translation>
    </message>
    <message>
        <source>Log (*.log *.txt)</source>
        <translation>日志 (*.log *.txt)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Also what is done</source>
        <translation>还包括所做的事</translation>
    </message>
    <message>
        <source>Also chosen kernels</source>
        <translation>还包括所选内核</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::LogRows</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MainWindow</name>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Shift+Up</source>
        <translation>Shift+Up</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Shift+Down</source>
        <translation>Shift+Down</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>实际大小(&amp;A)</translation>
    </message>
    <message>
        <source>Shift+Backspace</source>
        <translation>Shift+Backspace</translation>
    </message>
    <message>
        <source>Fit the &amp;graph</source>
        <translation>适合整个图(&amp;G)</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Scroll; with Ctrl zoom at the pointer</source>
        <translation>滚动；按住 Ctrl 在指针处缩放</translation>
    </message>
    <message>
        <source>Middle or Space drag</source>
        <translation>中键拖动或空格拖动</translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation>移动画面</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Follow the lines</source>
        <translation>沿连线移动</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Enter，双击</translation>
    </message>
    <message>
        <source>Unfold a group, enter a body or function</source>
        <translation>展开组，进入子图或函数</translation>
    </message>
    <message>
        <source>Fo&amp;ld all groups</source>
        <translation>折叠全部组(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Unfold all groups</source>
        <translation>展开全部组(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>着色依据(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Overview map</source>
        <translation>概览图(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Wheel zooms</source>
        <translation>滚轮缩放(&amp;W)</translation>
    </message>
    <message>
        <source>The plain wheel zooms and Ctrl+wheel scrolls, or the other way round.</source>
        <translation>滚轮直接缩放、Ctrl+滚轮滚动，或者相反。</translation>
    </message>
    <message>
        <source>&amp;Leave body or function</source>
        <translation>离开子图或函数(&amp;L)</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Backspace</translation>
    </message>
    <message>
        <source>&amp;Undo edit</source>
        <translation>撤销编辑(&amp;U)</translation>
    </message>
    <message>
        <source>Undoes the latest edit of the model and runs all stages again.</source>
        <translation>撤销对模型的最近一次编辑并重新执行所有阶段。</translation>
    </message>
    <message>
        <source>&amp;Redo edit</source>
        <translation>重做编辑(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Finds nodes and values by name, operator, type, shape or attribute; Enter and Shift+Enter step, Esc closes.</source>
        <translation>按名称、算子、类型、形状或属性查找节点和值；Enter 与 Shift+Enter 逐个查看，Esc 关闭。</translation>
    </message>
    <message>
        <source>&amp;Clear the selection</source>
        <translation>清除选择(&amp;C)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>Recent file %1</source>
        <translation>最近的文件 %1</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（缺失）</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Opens models in tabs of their own; files can be dropped on the window too.</source>
        <translation>在各自的标签页中打开模型；也可把文件拖到窗口上。</translation>
    </message>
    <message>
        <source>Reopen &amp;closed model</source>
        <translation>重新打开已关闭的模型(&amp;C)</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>重新加载(&amp;L)</translation>
    </message>
    <message>
        <source>Reads the file again and runs all stages.</source>
        <translation>再次读取文件并执行所有阶段。</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>关闭(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>请等待当前工作完成，或取消它。</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stops the current work at once.</source>
        <translation>立即停止正在进行的工作。</translation>
    </message>
    <message>
        <source>&amp;Stage panel</source>
        <translation>阶段面板(&amp;S)</translation>
    </message>
    <message>
        <source>Ins&amp;pector</source>
        <translation>检查器(&amp;P)</translation>
    </message>
    <message>
        <source>Everything about what is selected.</source>
        <translation>所选内容的一切信息。</translation>
    </message>
    <message>
        <source>Export a picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>&amp;Export picture …</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Shows this stage.</source>
        <translation>显示此阶段。</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Reset arrangement</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Next model</source>
        <translation>下一个模型(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous model</source>
        <translation>上一个模型(&amp;P)</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>&amp;Group by</source>
        <translation>分组依据(&amp;G)</translation>
    </message>
    <message>
        <source>From left to &amp;right</source>
        <translation>从左到右(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Attributes on cards</source>
        <translation>卡片上显示属性(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Weights on cards</source>
        <translation>卡片上显示权重(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Names on cards</source>
        <translation>卡片上显示名称(&amp;N)</translation>
    </message>
    <message>
        <source>Unfold the selected group or body</source>
        <translation>展开所选的组或子图</translation>
    </message>
    <message>
        <source>Fold what holds the selection</source>
        <translation>折叠包含所选内容的组</translation>
    </message>
    <message>
        <source>&amp;Command palette …</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Finds everything the window can do.</source>
        <translation>查找窗口的所有功能。</translation>
    </message>
    <message>
        <source>Compare with another model</source>
        <translation>与另一个模型比较</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx *.ort *.textproto);;All files (*)</source>
        <translation>ONNX 模型 (*.onnx *.ort *.textproto);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Com&amp;pare with another model …</source>
        <translation>与另一个模型比较(&amp;P)…</translation>
    </message>
    <message>
        <source>Shows another model beside this one, with what differs in colours and as a list.</source>
        <translation>将另一个模型显示在旁边，差异以颜色和列表表示。</translation>
    </message>
    <message>
        <source>Show &amp;what-if beside</source>
        <translation>并排显示假设(&amp;W)</translation>
    </message>
    <message>
        <source>The present configuration and the one that was tried out, side by side.</source>
        <translation>当前配置与所试配置并排显示。</translation>
    </message>
    <message>
        <source>Next &amp;difference</source>
        <translation>下一处差异(&amp;D)</translation>
    </message>
    <message>
        <source>Previous d&amp;ifference</source>
        <translation>上一处差异(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Swap the sides</source>
        <translation>交换两侧(&amp;S)</translation>
    </message>
    <message>
        <source>Close the comp&amp;arison</source>
        <translation>关闭比较(&amp;A)</translation>
    </message>
    <message>
        <source>Nothing was exported</source>
        <translation>没有导出任何内容</translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Reports (*.html)</source>
        <translation>报告 (*.html)</translation>
    </message>
    <message>
        <source>Export the reports as JSON</source>
        <translation>将报告导出为 JSON</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>报告 (*.json)</translation>
    </message>
    <message>
        <source>Export all tables: choose a folder</source>
        <translation>导出全部表：选择文件夹</translation>
    </message>
    <message>
        <source>Export all tables</source>
        <translation>导出全部表</translation>
    </message>
    <message>
        <source>Images (*.png);;Drawings (*.svg)</source>
        <translation>图像 (*.png);;矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Pixels per unit; at 1 the picture has %1 × %2 pixels</source>
        <translation>每单位像素数；为 1 时图片为 %1 × %2 像素</translation>
    </message>
    <message>
        <source>Writes the graph as PNG at any scale or as SVG.</source>
        <translation>以任意比例的 PNG 或 SVG 写出图。</translation>
    </message>
    <message>
        <source>Export &amp;report …</source>
        <translation>导出报告(&amp;R)…</translation>
    </message>
    <message>
        <source>Writes one HTML file with the graph to move in, plans, profile and all tables; it needs no network.</source>
        <translation>写出一个 HTML 文件，含可操作的图、计划、性能数据和全部表；无需网络。</translation>
    </message>
    <message>
        <source>Export reports as &amp;JSON …</source>
        <translation>将报告导出为 &amp;JSON…</translation>
    </message>
    <message>
        <source>Export all &amp;tables …</source>
        <translation>导出全部表(&amp;T)…</translation>
    </message>
    <message>
        <source>Writes every table as CSV into a folder.</source>
        <translation>将每个表以 CSV 写入文件夹。</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>The manual is not where it should be; the program may not be installed whole.</source>
        <translation>手册不在应有的位置；程序可能没有完整安装。</translation>
    </message>
    <message>
        <source>No browser could be started. The manual is this file:</source>
        <translation>无法启动浏览器。手册是此文件：</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>Opens the manual with its search in the browser; it needs no network.</source>
        <translation>在浏览器中打开带搜索的手册；无需网络。</translation>
    </message>
    <message>
        <source>&amp;Play execution</source>
        <translation>播放执行过程(&amp;P)</translation>
    </message>
    <message>
        <source>Plays the order on the graph while the memory chart fills.</source>
        <translation>在图上播放顺序，同时填充内存图。</translation>
    </message>
    <message>
        <source>Next s&amp;tep</source>
        <translation>下一步(&amp;T)</translation>
    </message>
    <message>
        <source>Previous st&amp;ep</source>
        <translation>上一步(&amp;E)</translation>
    </message>
    <message>
        <source>Show all steps a&amp;gain</source>
        <translation>重新显示全部步骤(&amp;G)</translation>
    </message>
    <message>
        <source>Clears the step, the range and the marks.</source>
        <translation>清除步骤、范围和标记。</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Where the canvas was before: graph, place and selection.</source>
        <translation>画布之前所在：图、位置和选择。</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Bookmark &amp;%1</source>
        <translation>书签 &amp;%1</translation>
    </message>
    <message>
        <source>Goes to the bookmark under this digit.</source>
        <translation>转到此数字的书签。</translation>
    </message>
    <message>
        <source>&amp;Set a bookmark here</source>
        <translation>在此设书签(&amp;S)</translation>
    </message>
    <message>
        <source>Set bookmark &amp;%1</source>
        <translation>设书签 &amp;%1</translation>
    </message>
    <message>
        <source>Pressed again at the same place, it removes the bookmark.</source>
        <translation>在同一位置再按一次即移除书签。</translation>
    </message>
    <message>
        <source>Bookmark %1: %2</source>
        <translation>书签 %1：%2</translation>
    </message>
    <message>
        <source>Bookmark %1 was removed.</source>
        <translation>已移除书签 %1。</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>高亮(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Select what is highlighted</source>
        <translation>选择高亮的内容(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;End highlighting</source>
        <translation>结束高亮(&amp;E)</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Open s&amp;ession …</source>
        <translation>打开会话(&amp;E) …</translation>
    </message>
    <message>
        <source>A session keeps models with their settings, edits, bookmarks, profile and the arrangement of the window.</source>
        <translation>会话保存模型及其设置、编辑、书签、性能数据和窗口布局。</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>保存会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save session &amp;as …</source>
        <translation>会话另存为(&amp;A) …</translation>
    </message>
    <message>
        <source>&amp;Tour of the window</source>
        <translation>窗口导览(&amp;T)</translation>
    </message>
    <message>
        <source>Shows the seven main areas of the window, one after the other.</source>
        <translation>依次介绍窗口的七个主要部分。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>&amp;Model settings …</source>
        <translation>模型设置(&amp;S) …</translation>
    </message>
    <message>
        <source>Providers, dimensions, level, order, executor, threads and limit of this model.</source>
        <translation>此模型的提供者、维度、优化级别、顺序、执行器、线程和内存限制。</translation>
    </message>
    <message>
        <source>Copy as c&amp;ommand</source>
        <translation>复制为命令(&amp;O)</translation>
    </message>
    <message>
        <source>The cutaway-cli command for this model with these settings.</source>
        <translation>以这些设置处理此模型的 cutaway-cli 命令。</translation>
    </message>
    <message>
        <source>Save arrangement</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name of the arrangement:</source>
        <translation>布局名称：</translation>
    </message>
    <message>
        <source>There are %1 arrangements already; delete one first.</source>
        <translation>已有 %1 个布局；请先删除一个。</translation>
    </message>
    <message>
        <source>Arrangement saved: %1</source>
        <translation>布局已保存：%1</translation>
    </message>
    <message>
        <source>Delete an arrangement</source>
        <translation>删除布局</translation>
    </message>
    <message>
        <source>Arrangement:</source>
        <translation>布局：</translation>
    </message>
    <message>
        <source>Arrange&amp;ments</source>
        <translation>布局(&amp;M)</translation>
    </message>
    <message>
        <source>Restores the default arrangement of the docks.</source>
        <translation>恢复面板的默认布局。</translation>
    </message>
    <message>
        <source>&amp;Save arrangement …</source>
        <translation>保存布局(&amp;S) …</translation>
    </message>
    <message>
        <source>&amp;Delete an arrangement …</source>
        <translation>删除布局(&amp;D) …</translation>
    </message>
    <message>
        <source>Arrangement %1</source>
        <translation>布局 %1</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>设置(&amp;S) …</translation>
    </message>
    <message>
        <source>Theme, language, size of text, motion, wheel, direction, grouping, defaults of models.</source>
        <translation>主题、语言、文字大小、动画、滚轮、方向、分组、模型默认值。</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>未保存的编辑</translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 有未保存的编辑。</translation>
    </message>
    <message>
        <source>The file itself is as it was. The panel of edits saves the edited model under a name that you choose.</source>
        <translation>文件本身未改变。编辑面板可将编辑后的模型以您选择的名称保存。</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存并关闭</translation>
    </message>
    <message>
        <source>Show edits</source>
        <translation>显示编辑</translation>
    </message>
    <message>
        <source>The settings could not be read and were renamed to %1. Cutaway starts with its defaults.</source>
        <translation>设置无法读取，已重命名为 %1。Cutaway 将使用默认设置。</translation>
    </message>
    <message>
        <source>Next &amp;area</source>
        <translation>下一区域(&amp;A)</translation>
    </message>
    <message>
        <source>Stages, graph, panels: the keyboard goes from one to the next.</source>
        <translation>阶段、图、面板：键盘焦点依次移动。</translation>
    </message>
    <message>
        <source>Previous area</source>
        <translation>上一区域</translation>
    </message>
    <message>
        <source>Compare with O&amp;NNX Runtime</source>
        <translation>与 ONNX Runtime 比较(&amp;N)</translation>
    </message>
    <message>
        <source>Asks ONNX Runtime about the same model and shows every stage of both, in the ribbon and as tables.</source>
        <translation>就同一模型询问 ONNX Runtime，并在阶段栏和表格中显示两者的每个阶段。</translation>
    </message>
    <message>
        <source>Save edited &amp;model as …</source>
        <translation>将编辑后的模型另存为(&amp;M)…</translation>
    </message>
    <message>
        <source>Writes the model with its edits to a file; the file that is open stays as it is.</source>
        <translation>将模型及其编辑写入文件;打开的文件保持不变。</translation>
    </message>
    <message>
        <source>Where a model has edits that are not saved, the key asks for them first.</source>
        <translation>若模型有未保存的编辑,该快捷键会先询问保存编辑。</translation>
    </message>
    <message>
        <source>&amp;Save edited model …</source>
        <translation>保存编辑后的模型(&amp;S)…</translation>
    </message>
    <message>
        <source>Runs the model with the inputs, runs and threads that stand on the Run stage.</source>
        <translation>按“运行”阶段中设定的输入、次数和线程数运行模型。</translation>
    </message>
    <message>
        <source>E&amp;xport context model …</source>
        <translation>导出上下文模型(&amp;X)…</translation>
    </message>
    <message>
        <source>Writes the compiled groups as EPContext nodes, to be loaded without compiling.</source>
        <translation>将已编译的组写为 EPContext 节点,加载时无需编译。</translation>
    </message>
    <message>
        <source>Copy as P&amp;ython for ONNX Runtime</source>
        <translation>复制为 ONNX Runtime 的 Python 代码(&amp;Y)</translation>
    </message>
    <message>
        <source>A program that opens this model in ONNX Runtime with these settings.</source>
        <translation>用这些设置在 ONNX Runtime 中打开此模型的程序。</translation>
    </message>
    <message>
        <source>Copy as C+&amp;+ for ONNX Runtime</source>
        <translation>复制为 ONNX Runtime 的 C+&amp;+ 代码</translation>
    </message>
    <message>
        <source>Models, sessions and sweeps (*.onnx *.ort *.textproto *.prototxt *.pbtxt *.onnxtxt *.cutaway *.sqlite *.toml);;All files (*)</source>
        <translation>模型、会话和扫描 (*.onnx *.ort *.textproto *.prototxt *.pbtxt *.onnxtxt *.cutaway *.sqlite *.toml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Layout by Graph&amp;viz</source>
        <translation>用 Graphviz 布局(&amp;V)</translation>
    </message>
    <message>
        <source>Places nodes by Graphviz&apos;s dot, for graphs of fewer than 2,000 nodes.</source>
        <translation>用 Graphviz 的 dot 排列节点，适用于少于 2,000 个节点的图。</translation>
    </message>
    <message>
        <source>Nodes inside &amp;compiled groups</source>
        <translation>编译组内的节点(&amp;C)</translation>
    </message>
    <message>
        <source>Opens compiled groups in their place, as hulls around the nodes in them.</source>
        <translation>在原处打开编译组，显示为其中节点的外框。</translation>
    </message>
    <message>
        <source>Mouse wheel: zooms; with Ctrl it scrolls.</source>
        <translation>鼠标滚轮：缩放；按住 Ctrl 时滚动。</translation>
    </message>
    <message>
        <source>Mouse wheel: scrolls; with Ctrl it zooms.</source>
        <translation>鼠标滚轮：滚动；按住 Ctrl 时缩放。</translation>
    </message>
    <message>
        <source>Writes what all stages report as JSON, the same that the command line writes.</source>
        <translation>以 JSON 写出所有阶段的报告，与命令行写出的相同。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MemoryChart</name>
    <message>
        <source>Memory over time, planned and measured</source>
        <translation>内存随时间变化，计划与实测</translation>
    </message>
    <message>
        <source>peak %1, step %2</source>
        <translation>峰值 %1，步骤 %2</translation>
    </message>
    <message>
        <source>held: up to %1, off the scale</source>
        <translation>持有：最多 %1，超出刻度</translation>
    </message>
    <message>
        <source>measured memory was not recorded</source>
        <translation>未记录实测内存</translation>
    </message>
    <message>
        <source>step %1: %2 planned</source>
        <translation>步骤 %1：计划 %2</translation>
    </message>
    <message>
        <source>step %1: %2 planned, %3 measured, %4 held</source>
        <translation>步骤 %1：计划 %2，实测 %3，持有 %4</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::MetadataPage</name>
    <message>
        <source>Value of the key</source>
        <translation>键的值</translation>
    </message>
    <message>
        <source>Choose a key to read its whole value.</source>
        <translation>选择一个键以查看其完整的值。</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>图的概览</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelForm</name>
    <message>
        <source>No model is open yet.</source>
        <translation>尚未打开模型。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>and %1 more: choose them on the graph to edit them</source>
        <translation>以及另外 %1 个：在图上选择它们即可编辑</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>All dimensions of the inputs are numbers already.</source>
        <translation>输入的所有维度都已是数字。</translation>
    </message>
    <message>
        <source>Dimensions of the inputs that have a name. A number fixes one in the model; another name renames it.</source>
        <translation>输入中带名称的维度。填数字可在模型中固定它；填另一个名称则改名。</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生成者</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Value of the new key</source>
        <translation>新键的值</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelPanel</name>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Initializers</source>
        <translation>初始化器</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Bodies and functions</source>
        <translation>子图与函数</translation>
    </message>
    <message>
        <source>External files</source>
        <translation>外部文件</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Warnings (%1)</source>
        <translation>警告 (%1)</translation>
    </message>
    <message>
        <source>No model is open yet.</source>
        <translation>尚未打开模型。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>%1, IR version %2</source>
        <translation>%1，IR 版本 %2</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生成者</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 in %2 initializers</source>
        <translation>%2 个初始化器中的 %1</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>Activations moved</source>
        <translation>移动的激活</translation>
    </message>
    <message>
        <source>Nodes of unknown cost</source>
        <translation>开销未知的节点</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>, %1 nodes open</source>
        <translation>，%1 个节点未定</translation>
    </message>
    <message>
        <source>By the open dimensions: %1; moved between nodes %2</source>
        <translation>按未定维度：%1；节点间移动 %2</translation>
    </message>
    <message>
        <source>No costs by the open dimensions: %1</source>
        <translation>无法按未定维度给出开销：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ModelTables</name>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Readers</source>
        <translation>读取者</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Stored in</source>
        <translation>存于</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>开头的值</translation>
    </message>
    <message>
        <source>model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>Floating point operations; a multiply and an add are two. Nodes whose operations are not known are left out.</source>
        <translation>浮点运算次数；一次乘和一次加算两次。运算量未知的节点不计入。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Elements of the float initializers that the nodes read</source>
        <translation>这些节点读取的浮点初始化器的元素数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bytes of the initializers that the nodes read</source>
        <translation>这些节点读取的初始化器的字节数</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Bytes of activations read and written</source>
        <translation>读写的激活字节数</translation>
    </message>
    <message>
        <source>Operations of %1 of %2 nodes are not known.</source>
        <translation>%2 个节点中有 %1 个的运算量未知。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeAnswers</name>
    <message>
        <source>Show group</source>
        <translation>显示组</translation>
    </message>
    <message>
        <source>Pin to</source>
        <translation>固定到</translation>
    </message>
    <message>
        <source>Answers of the providers</source>
        <translation>各 Provider 的回答</translation>
    </message>
    <message>
        <source>Select the nodes of its group, and the group in the table</source>
        <translation>选择其组的节点，并在表中选择该组</translation>
    </message>
    <message>
        <source>What if another provider had this node?</source>
        <translation>如果由另一个 Provider 执行此节点会怎样？</translation>
    </message>
    <message>
        <source>Choose a node on the graph or in a table
to see what every provider said about it.</source>
        <translation>在图或表中选择一个节点，
查看每个 Provider 对它的回答。</translation>
    </message>
    <message>
        <source>None of the selected nodes was left
when the graph was partitioned.</source>
        <translation>划分图时，
所选节点已不存在。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeMenu</name>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>What %1 does</source>
        <translation>%1 的作用</translation>
    </message>
    <message>
        <source>Look at its tensors</source>
        <translation>查看其张量</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Name, attributes …</source>
        <translation>名称、属性…</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>绕过</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Look at its values</source>
        <translation>查看其值</translation>
    </message>
    <message>
        <source>Name, type, shape …</source>
        <translation>名称、类型、形状…</translation>
    </message>
    <message>
        <source>Remove from the outputs</source>
        <translation>从输出中移除</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>设为输出</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTablePage</name>
    <message>
        <source>Filter: op:Conv time&gt;1ms params&gt;1e6 …</source>
        <translation>筛选：op:Conv time&gt;1ms params&gt;1e6 …</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Every node</source>
        <translation>每个节点</translation>
    </message>
    <message>
        <source>By operator</source>
        <translation>按算子</translation>
    </message>
    <message>
        <source>By provider</source>
        <translation>按 Provider</translation>
    </message>
    <message>
        <source>By name scope</source>
        <translation>按名称作用域</translation>
    </message>
    <message>
        <source>By element type</source>
        <translation>按元素类型</translation>
    </message>
    <message>
        <source>By pass</source>
        <translation>按优化遍</translation>
    </message>
    <message>
        <source>By compiled group</source>
        <translation>按编译组</translation>
    </message>
    <message>
        <source>By graph</source>
        <translation>按图</translation>
    </message>
    <message>
        <source>Group nodes</source>
        <translation>节点分组</translation>
    </message>
    <message>
        <source>Sums of the rows shown</source>
        <translation>所示各行的合计</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>将表保存为 CSV…</translation>
    </message>
    <message>
        <source>Highlight on the graph</source>
        <translation>在图上高亮</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 / %2 个节点</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Of all nodes an initializer counts once; of some of them it counts at each node that reads it</source>
        <translation>对所有节点，一个初始化器只计一次；对部分节点，在每个读取它的节点处各计一次</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimes</name>
    <message>
        <source>Filter: all words must match</source>
        <translation>筛选：须匹配所有词</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>By operator</source>
        <translation>按算子</translation>
    </message>
    <message>
        <source>By provider</source>
        <translation>按 Provider</translation>
    </message>
    <message>
        <source>By name scope</source>
        <translation>按名称作用域</translation>
    </message>
    <message>
        <source>Roll up</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Times per node</source>
        <translation>各节点时间</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Save table as CSV …</source>
        <translation>将表保存为 CSV…</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>全部折叠</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodeTimesModel</name>
    <message>
        <source>(not in this model)</source>
        <translation>（不在此模型中）</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the time of all nodes</source>
        <translation>占全部节点时间</translation>
    </message>
    <message>
        <source>±</source>
        <translation>±</translation>
    </message>
    <message>
        <source>Standard deviation over the runs</source>
        <translation>各次运行的标准差</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
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
        <translation>读写字节除以时间</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Taken from the arena while it ran</source>
        <translation>运行期间取自 Arena</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Median over the runs</source>
        <translation>各次运行的中位数</translation>
    </message>
    <message>
        <source>median %1; calls took %2 to %3</source>
        <translation>中位数 %1;单次调用 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodesModel</name>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Element type of the first output</source>
        <translation>首个输出的元素类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shape of the first output</source>
        <translation>首个输出的形状</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Floating point operations by operator and shapes; a multiply and an add are two</source>
        <translation>由算子和形状得出的浮点运算次数；一次乘和一次加算两次</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bytes of initializers that it reads</source>
        <translation>它读取的初始化器的字节数</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>移动的字节</translation>
    </message>
    <message>
        <source>Activations read and written, each once</source>
        <translation>读写的激活，各计一次</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Bytes of its outputs</source>
        <translation>其输出的字节数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>In the execution order</source>
        <translation>在执行顺序中</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Largest relative error of the accuracy comparison</source>
        <translation>精度比较的最大相对误差</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>遍</translation>
    </message>
    <message>
        <source>Optimisation pass that made or changed it</source>
        <translation>产生或改变它的优化遍</translation>
    </message>
    <message>
        <source>Compiled group</source>
        <translation>编译组</translation>
    </message>
    <message>
        <source>Refused because</source>
        <translation>拒绝原因</translation>
    </message>
    <message>
        <source>What the first provider said</source>
        <translation>首个 Provider 的回答</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Measured, median of the runs; of nodes fused into one step the first has it</source>
        <translation>测得,各次运行的中位数;融合为一步的节点由第一个持有</translation>
    </message>
    <message>
        <source>Elements of the initializers that it reads</source>
        <translation>它读取的初始化器的元素数</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NodesPage</name>
    <message>
        <source>The chosen context node</source>
        <translation>所选上下文节点</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>show its original nodes</source>
        <translation>显示其原始节点</translation>
    </message>
    <message>
        <source>Context nodes</source>
        <translation>上下文节点</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::NoticeBar</name>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPage</name>
    <message>
        <source>Deprecated in this version: newer models use another operator instead.</source>
        <translation>此版本已弃用：较新的模型改用其他算子。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1 · since version %2</source>
        <translation>%1 · 自版本 %2</translation>
    </message>
    <message>
        <source>Versions:</source>
        <translation>版本：</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>任意个</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>默认 %1</translation>
    </message>
    <message>
        <source>missing, but required</source>
        <translation>缺失，但为必需</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未给出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>not in the schema</source>
        <translation>不在 schema 中</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>A function of this model: %1.</source>
        <translation>此模型的函数：%1。</translation>
    </message>
    <message>
        <source>look at its body</source>
        <translation>查看其函数体</translation>
    </message>
    <message>
        <source>There is no documentation: version %1 of the domain %2 has no operator of this name that is known here.</source>
        <translation>没有文档：域 %2 的版本 %1 中没有此处已知的同名算子。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OperatorPanel</name>
    <message>
        <source>Look up an operator: Conv, com.microsoft:Gelu</source>
        <translation>查询算子：Conv、com.microsoft:Gelu</translation>
    </message>
    <message>
        <source>Look up an operator</source>
        <translation>查询算子</translation>
    </message>
    <message>
        <source>Back to the selected node</source>
        <translation>返回所选节点</translation>
    </message>
    <message>
        <source>Select a node to read about its operator,
with this node&apos;s values beside the formal ones.</source>
        <translation>选择一个节点以查看其算子的说明，
并在形式参数旁列出此节点的值。</translation>
    </message>
    <message>
        <source>Documentation of the operator</source>
        <translation>算子文档</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionController</name>
    <message>
        <source>This window was built without ONNX Runtime.</source>
        <translation>此窗口构建时未包含 ONNX Runtime。</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开一个模型。</translation>
    </message>
    <message>
        <source>ONNX Runtime reads the file: save the edited model and open that.</source>
        <translation>ONNX Runtime 读取的是文件：请保存编辑后的模型再打开它。</translation>
    </message>
    <message>
        <source>Wait until the present work is finished, or cancel it.</source>
        <translation>请等待当前工作完成，或将其取消。</translation>
    </message>
    <message>
        <source>Comparing with ONNX Runtime</source>
        <translation>正在与 ONNX Runtime 比较</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionPage</name>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Both engines, stage by stage. A click shows what differs in a stage.</source>
        <translation>两个引擎逐阶段对照。点击可查看某阶段的差异。</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>The graph that both run as it is: ONNX Runtime&apos;s optimised model. A row selects the node that makes the same output here.</source>
        <translation>双方原样运行的图：ONNX Runtime 优化后的模型。选择一行会选中此处产生相同输出的节点。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionPanel</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>再次比较</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>ONNX Runtime is being asked …</source>
        <translation>正在询问 ONNX Runtime …</translation>
    </message>
    <message>
        <source>It runs in a process of its own; cancelling stops that.</source>
        <translation>它在独立的进程中运行；取消会结束该进程。</translation>
    </message>
    <message>
        <source>Compare with ONNX Runtime</source>
        <translation>与 ONNX Runtime 比较</translation>
    </message>
    <message>
        <source>ONNX Runtime was not found</source>
        <translation>未找到 ONNX Runtime</translation>
    </message>
    <message>
        <source>There is no comparison</source>
        <translation>没有比较结果</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>ONNX Runtime %1 refuses this model</source>
        <translation>ONNX Runtime %1 拒绝此模型</translation>
    </message>
    <message>
        <source>ONNX Runtime beside Cutaway</source>
        <translation>ONNX Runtime 与 Cutaway 对照</translation>
    </message>
    <message>
        <source>Runs the model in both, and shows for every stage what each makes of it and by which rule the two differ.</source>
        <translation>在两者中运行模型，并逐个阶段显示各自的结果，以及差异由哪条规则解释。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionTables</name>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
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
        <translation>结论</translation>
    </message>
    <message>
        <source>Explained: a named rule says why the two differ. Not compared: there is nothing to compare, and why.</source>
        <translation>已解释：有一条命名规则说明差异的原因。未比较：没有可比较的内容及其原因。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异内容</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>The named rule that explains the difference</source>
        <translation>解释该差异的命名规则</translation>
    </message>
    <message>
        <source>≠ unexplained</source>
        <translation>≠ 未解释</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>数值性质</translation>
    </message>
    <message>
        <source>Exact, or measured: how often, and what was taken of the measurements</source>
        <translation>精确值，或测量值：测量次数及取值方式</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Its first output, which keeps the model&apos;s name</source>
        <translation>它的第一个输出，保留模型中的名称</translation>
    </message>
    <message>
        <source>Arena there</source>
        <translation>对方内存池</translation>
    </message>
    <message>
        <source>Of ONNX Runtime&apos;s arena in use behind the node, in the first run</source>
        <translation>首次运行时，该节点之后 ONNX Runtime 内存池的占用量</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Its name in the graph that both run: ONNX Runtime&apos;s optimised model</source>
        <translation>它在两者共同运行的图（ONNX Runtime 优化后的模型）中的名称</translation>
    </message>
    <message>
        <source>≠ only here</source>
        <translation>≠ 仅此处</translation>
    </message>
    <message>
        <source>≠ only there</source>
        <translation>≠ 仅彼处</translation>
    </message>
    <message>
        <source>%1, median of %2</source>
        <translation>%1，%2 次中位数</translation>
    </message>
    <message>
        <source>Measured: median of the runs, and the shortest and longest of them</source>
        <translation>实测：多次运行的中位数，以及最短和最长一次</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>=: the same step in both; ≠: another one, or only one engine has the node</source>
        <translation>=：两者步骤相同；≠：步骤不同，或只有一个引擎有该节点</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>Its step in the order of this engine</source>
        <translation>在本引擎顺序中的步骤</translation>
    </message>
    <message>
        <source>There</source>
        <translation>彼处</translation>
    </message>
    <message>
        <source>Its step in ONNX Runtime&apos;s order; empty: it replaced the node when it opened the graph</source>
        <translation>在 ONNX Runtime 顺序中的步骤；空：打开图时该节点已被替换</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OpinionWords</name>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入和输出</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>✗ ONNX Runtime %1 refuses this model: %2</source>
        <translation>✗ ONNX Runtime %1 拒绝此模型：%2</translation>
    </message>
    <message>
        <source>ONNX Runtime %1, %2: </source>
        <translation>ONNX Runtime %1，%2：</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>differences: %1, all explained by a rule.</source>
        <translation>差异：%1 项，均由规则解释。</translation>
    </message>
    <message>
        <source>differences: %1, ≠ %2 of them unexplained.</source>
        <translation>差异：%1 项，其中 ≠ %2 项未解释。</translation>
    </message>
    <message>
        <source>%1: Cutaway %2, ONNX Runtime %3 – %4</source>
        <translation>%1：Cutaway %2，ONNX Runtime %3 – %4</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>%1 explained</source>
        <translation>%1 项已解释</translation>
    </message>
    <message>
        <source>%1 of %2 unexplained</source>
        <translation>%2 项中 %1 项未解释</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>no stage differs.</source>
        <translation>各阶段均无差异。</translation>
    </message>
    <message>
        <source> Not compared: %1 of %2.</source>
        <translation>未比较：%2 个中的 %1 个。</translation>
    </message>
    <message>
        <source>same for the nodes of both</source>
        <translation>双方共有的节点相同</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OptimizePanel</name>
    <message>
        <source>Passes</source>
        <translation>遍</translation>
    </message>
    <message>
        <source>Rewrites</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Passes that found something</source>
        <translation>有所发现的遍</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Folded into constants</source>
        <translation>折叠为常量</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Rewrites (%1)</source>
        <translation>改写 (%1)</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>遍</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>目的</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>What and why</source>
        <translation>内容与原因</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OrderPage</name>
    <message>
        <source>Progress of comparing orders</source>
        <translation>比较顺序的进度</translation>
    </message>
    <message>
        <source>Orders side by side</source>
        <translation>各顺序并列</translation>
    </message>
    <message>
        <source>Use the chosen order, and run all stages again (Enter)</source>
        <translation>使用所选顺序，并重新执行所有阶段 (Enter)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compare orders</source>
        <translation>比较顺序</translation>
    </message>
    <message>
        <source>Use this order</source>
        <translation>采用此顺序</translation>
    </message>
    <message>
        <source>Use the %1 order</source>
        <translation>采用“%1”顺序</translation>
    </message>
    <message>
        <source>Planning the model in every order …</source>
        <translation>正在以各种顺序规划模型…</translation>
    </message>
    <message>
        <source>Smaller peaks need less memory; a shorter path leaves more to do at once.</source>
        <translation>峰值越小所需内存越少；路径越短可同时执行的越多。</translation>
    </message>
    <message>
        <source>What would another order change? Plans the model in all four, without running it.</source>
        <translation>换一种顺序会改变什么？以四种顺序规划模型，但不运行。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>No placement of this order can be smaller</source>
        <translation>此顺序的任何放置都不可能更小</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Work on the longest chain</source>
        <translation>最长链上的工作量</translation>
    </message>
    <message>
        <source>Planned in</source>
        <translation>规划用时</translation>
    </message>
    <message>
        <source>Live bytes over steps</source>
        <translation>各步骤的存活字节</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::OverlayWords</name>
    <message>
        <source>What can be kept compiled is known once Partition is done.</source>
        <translation>分区完成后才知道能保留哪些编译结果。</translation>
    </message>
    <message>
        <source>Sizes depend on open dimensions: give these a size.</source>
        <translation>大小取决于未定维度：请给它们指定大小。</translation>
    </message>
    <message>
        <source>The order is known once Order is done.</source>
        <translation>“顺序”阶段完成后才知道顺序。</translation>
    </message>
    <message>
        <source>Nodes have no provider before Partition is done.</source>
        <translation>分区完成前节点没有 Provider。</translation>
    </message>
    <message>
        <source>Run the model with profiling to see times.</source>
        <translation>运行模型并进行性能分析后可查看时间。</translation>
    </message>
    <message>
        <source>What changes is known once Optimize is done.</source>
        <translation>优化完成后才知道有何变化。</translation>
    </message>
    <message>
        <source>type not known</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>Compare two configurations to see errors.</source>
        <translation>比较两种配置以查看误差。</translation>
    </message>
    <message>
        <source>The comparison has no value of this graph: compare every layer.</source>
        <translation>比较结果中没有此图的值：请比较每一层。</translation>
    </message>
    <message>
        <source>Costs are known once shapes are: after Inputs &amp; outputs.</source>
        <translation>形状已知后代价才已知：在“输入与输出”之后。</translation>
    </message>
    <message>
        <source>other passes</source>
        <translation>其他遍</translation>
    </message>
    <message>
        <source>not changed by any pass</source>
        <translation>未被任何遍更改</translation>
    </message>
    <message>
        <source>Providers answer in Partition, which is not done.</source>
        <translation>Provider 在“分区”阶段作答，该阶段尚未完成。</translation>
    </message>
    <message>
        <source>other causes</source>
        <translation>其他原因</translation>
    </message>
    <message>
        <source>claimed by the first provider</source>
        <translation>由首个 Provider 认领</translation>
    </message>
    <message>
        <source>There are no style rules yet: search for something and add a rule of it.</source>
        <translation>还没有样式规则：搜索某些内容，并由此添加规则。</translation>
    </message>
    <message>
        <source>The rules are being applied …</source>
        <translation>正在应用规则…</translation>
    </message>
    <message>
        <source>mostly weights</source>
        <translation>主要是权重</translation>
    </message>
    <message>
        <source>both equally</source>
        <translation>两者相当</translation>
    </message>
    <message>
        <source>mostly activations</source>
        <translation>主要是激活</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>Compare with another model, or show the what-if beside, to see what differs.</source>
        <translation>与另一个模型比较，或并排显示假设，即可看到差异。</translation>
    </message>
    <message>
        <source>The model is not loaded yet.</source>
        <translation>模型尚未加载。</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>仅在此处</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>None of these nodes has a step of its own: what became of them shows it on the Order stage.</source>
        <translation>这些节点都没有自己的步骤：由它们变成的节点会显示在“顺序”阶段。</translation>
    </message>
    <message>
        <source>None of these nodes was timed: what became of them shows its time on the Run stage.</source>
        <translation>这些节点都没有计时：由它们变成的节点会在“运行”阶段显示时间。</translation>
    </message>
    <message>
        <source>estimated inside groups: a group&apos;s time by work</source>
        <translation>组内为估算:按工作量分摊组的时间</translation>
    </message>
    <message>
        <source>intermediates only</source>
        <translation>只有中间值</translation>
    </message>
    <message>
        <source>%1: a Transpose put in (%2)</source>
        <translation>%1：插入了一个 Transpose（%2）</translation>
    </message>
    <message>
        <source>%1: written anew as %2 (%3)</source>
        <translation>%1：重写为 %2（%3）</translation>
    </message>
    <message>
        <source>changed by its provider</source>
        <translation>被其 Provider 改动</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>未更改</translation>
    </message>
    <message>
        <source>not compiled</source>
        <translation>未编译</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PageTabs</name>
    <message>
        <source>Open models</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close others</source>
        <translation>关闭其他</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PairView</name>
    <message>
        <source>≠ changed</source>
        <translation>≠ 已改变</translation>
    </message>
    <message>
        <source>− only left</source>
        <translation>− 仅左侧</translation>
    </message>
    <message>
        <source>+ only right</source>
        <translation>+ 仅右侧</translation>
    </message>
    <message>
        <source>= the same</source>
        <translation>= 相同</translation>
    </message>
    <message>
        <source>Every node runs as before</source>
        <translation>每个节点都像之前一样运行</translation>
    </message>
    <message>
        <source>All %1 nodes are the same</source>
        <translation>全部 %1 个节点相同</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 个已改变</translation>
    </message>
    <message>
        <source>%1 only left</source>
        <translation>%1 个仅在左侧</translation>
    </message>
    <message>
        <source>%1 only right</source>
        <translation>%1 个仅在右侧</translation>
    </message>
    <message>
        <source>%1 the same</source>
        <translation>%1 个相同</translation>
    </message>
    <message>
        <source>%1 inputs, outputs or weights differ</source>
        <translation>%1 个输入、输出或权重不同</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Previous difference (Shift+N)</source>
        <translation>上一处差异 (Shift+N)</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Next difference (N)</source>
        <translation>下一处差异 (N)</translation>
    </message>
    <message>
        <source>Move together</source>
        <translation>同步移动</translation>
    </message>
    <message>
        <source>Both graphs move together</source>
        <translation>两个图一起移动</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Colour what differs</source>
        <translation>为差异着色</translation>
    </message>
    <message>
        <source>Swap sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>Left becomes right</source>
        <translation>左变为右</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>关闭比较</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异所在</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>%1 beside %2</source>
        <translation>%1 与 %2 并排</translation>
    </message>
    <message>
        <source>%1 cannot be shown: %2</source>
        <translation>无法显示 %1：%2</translation>
    </message>
    <message>
        <source>There is no what-if yet: try one out on the Partition stage.</source>
        <translation>还没有假设：请在“分区”阶段试一个。</translation>
    </message>
    <message>
        <source>Looking for what differs …</source>
        <translation>正在查找差异…</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>How it differs</source>
        <translation>如何不同</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PartitionPanel</name>
    <message>
        <source>All nodes</source>
        <translation>所有节点</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Refusals</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What if •</source>
        <translation>假设 •</translation>
    </message>
    <message>
        <source>, %1 not assigned</source>
        <translation>，%1 个未分配</translation>
    </message>
    <message>
        <source>%1, %2 compiled</source>
        <translation>%1，%2 个已编译</translation>
    </message>
    <message>
        <source>Boundary cost</source>
        <translation>边界代价</translation>
    </message>
    <message>
        <source>What if: this is not the session&apos;s configuration.</source>
        <translation>假设：这不是会话的配置。</translation>
    </message>
    <message>
        <source>Show its nodes in the table</source>
        <translation>在表中显示其节点</translation>
    </message>
    <message>
        <source>Go to the node that forces it</source>
        <translation>转到造成它的节点</translation>
    </message>
    <message>
        <source>Assigned to %1</source>
        <translation>分配给 %1</translation>
    </message>
    <message>
        <source>Find a cure</source>
        <translation>寻找解决办法</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PatternPanel</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Not planned</source>
        <translation>未规划</translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation>内存属于</translation>
    </message>
    <message>
        <source>Graph and device</source>
        <translation>图与设备</translation>
    </message>
    <message>
        <source>Blocks (%1)</source>
        <translation>块 (%1)</translation>
    </message>
    <message>
        <source>Not planned (%1)</source>
        <translation>未规划 (%1)</translation>
    </message>
    <message>
        <source>reached</source>
        <translation>已达到</translation>
    </message>
    <message>
        <source>+%1 above it</source>
        <translation>高出 +%1</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Without sharing</source>
        <translation>不共享时</translation>
    </message>
    <message>
        <source>%1, saves %2</source>
        <translation>%1，节省 %2</translation>
    </message>
    <message>
        <source>Peak at step</source>
        <translation>峰值所在步骤</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>Measured, with workspace</source>
        <translation>实测，含工作区</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>The arena holds, simulated</source>
        <translation>内存池占用（模拟）</translation>
    </message>
    <message>
        <source>Allocations of the run</source>
        <translation>运行的内存分配</translation>
    </message>
    <message>
        <source>Run: every value by itself</source>
        <translation>运行：每个值单独分配</translation>
    </message>
    <message>
        <source>Run: buffers used again</source>
        <translation>运行：缓冲区复用</translation>
    </message>
    <message>
        <source>Run: one block</source>
        <translation>运行：单个内存块</translation>
    </message>
    <message>
        <source>, %1 buffers open</source>
        <translation>，%1 个缓冲区未定</translation>
    </message>
    <message>
        <source>By the open dimensions, on %1: without sharing %2</source>
        <translation>按未定维度，在 %1 上：不共享时 %2</translation>
    </message>
    <message>
        <source>By the open dimensions, on %1: at least %2; without sharing %3</source>
        <translation>按未定维度，在 %1 上：至少 %2；不共享时 %3</translation>
    </message>
    <message>
        <source>Most bytes alive</source>
        <translation>最大存活字节</translation>
    </message>
    <message>
        <source>Reached at step</source>
        <translation>达到于步骤</translation>
    </message>
    <message>
        <source>, 1 buffer open</source>
        <translation>，1 个缓冲区未定</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PictureDialog</name>
    <message>
        <source>PNG, an image</source>
        <translation>PNG，图像</translation>
    </message>
    <message>
        <source>SVG, a drawing</source>
        <translation>SVG，矢量图</translation>
    </message>
    <message>
        <source>The whole graph</source>
        <translation>整个图</translation>
    </message>
    <message>
        <source>The visible part</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Legend above the graph</source>
        <translation>图例置于图上方</translation>
    </message>
    <message>
        <source>Export a picture of the graph</source>
        <translation>导出图的图片</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Part</source>
        <translation>部分(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>比例(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Fi&amp;le</source>
        <translation>文件(&amp;L)</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>%1 × %2 units, sharp at any size</source>
        <translation>%1 × %2 单位，任意大小都清晰</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1 megapixels: it will be written as asked, but many viewers cannot open so large an image</source>
        <translation>%1 百万像素：会按要求写出，但许多查看器打不开这么大的图像</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Images (*.png)</source>
        <translation>图像 (*.png)</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PicturePage</name>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>last two axes</source>
        <translation>最后两轴</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>通道在前</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>Meaning of the axes</source>
        <translation>各轴含义</translation>
    </message>
    <message>
        <source>Which axes are height, width and channels</source>
        <translation>哪些轴是高、宽和通道</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>middle 98 %</source>
        <translation>中间 98 %</translation>
    </message>
    <message>
        <source>whole range</source>
        <translation>整个范围</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 至 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 至 255</translation>
    </message>
    <message>
        <source>Range of the scale</source>
        <translation>色标范围</translation>
    </message>
    <message>
        <source>Which numbers the ends of the scale stand for</source>
        <translation>色标两端代表的数值</translation>
    </message>
    <message>
        <source>every %1. row, every %2. column</source>
        <translation>每 %1 行、每 %2 列取一</translation>
    </message>
    <message>
        <source>RGB</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>轴 %1： </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>轴 %1 的索引</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PictureView</name>
    <message>
        <source>Picture of the tensor</source>
        <translation>张量的图像</translation>
    </message>
    <message>
        <source>%1 by %2 elements, from %3 to %4</source>
        <translation>%1 × %2 个元素，从 %3 到 %4</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanDraftEditor</name>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>default: depth first</source>
        <translation>默认：深度优先</translation>
    </message>
    <message>
        <source>priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>fifo: as nodes become ready</source>
        <translation>fifo：按就绪先后</translation>
    </message>
    <message>
        <source>memory: smallest peak</source>
        <translation>内存：峰值最小</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Cutaway&apos;s</source>
        <translation>Cutaway 的</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s</source>
        <translation>onnxruntime 的</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>顺序执行</translation>
    </message>
    <message>
        <source>dataflow: independent nodes at once</source>
        <translation>数据流：互不依赖的节点同时运行</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Reuse free buffers</source>
        <translation>重用空闲缓冲区</translation>
    </message>
    <message>
        <source>session.enable_mem_reuse</source>
        <translation>session.enable_mem_reuse</translation>
    </message>
    <message>
        <source>Write over inputs that are no longer needed</source>
        <translation>写在不再需要的输入之上</translation>
    </message>
    <message>
        <source>In place, where the operator allows it</source>
        <translation>算子允许时原地写入</translation>
    </message>
    <message>
        <source>Plan one block of memory</source>
        <translation>规划一整块内存</translation>
    </message>
    <message>
        <source>session.enable_mem_pattern; without it every value comes from the arena</source>
        <translation>session.enable_mem_pattern；没有它时每个值都取自 Arena</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>The model has no open dimension.</source>
        <translation>模型没有未定维度。</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>onnxruntime: its default</source>
        <translation>onnxruntime：其默认顺序</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s for training</source>
        <translation>onnxruntime 的训练规则</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanPage</name>
    <message>
        <source>Live bytes of both plans</source>
        <translation>两个计划的存活字节</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Values (%1)</source>
        <translation>值 (%1)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlanStudies</name>
    <message>
        <source>Comparing orders</source>
        <translation>正在比较顺序</translation>
    </message>
    <message>
        <source>Planning sizes of %1</source>
        <translation>正在规划 %1 的各种大小</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::PlayBar</name>
    <message>
        <source>step %1 of %2</source>
        <translation>步骤 %1 / %2</translation>
    </message>
    <message>
        <source>live %1, peak so far %2 at step %3</source>
        <translation>存活 %1，至今峰值 %2，在步骤 %3</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>One step back (Left)</source>
        <translation>后退一步 (Left)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play the execution on the graph and in the charts (Space)</source>
        <translation>在图和图表中播放执行过程 (空格)</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>One step on (Right)</source>
        <translation>前进一步 (Right)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Step in the execution order: arrow keys step, Page Up and Down jump, Space plays</source>
        <translation>执行顺序中的步骤：方向键逐步，Page Up 和 Page Down 跳跃，空格播放</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>How fast it plays; at 1× four steps a second, and a long order within half a minute</source>
        <translation>播放速度；1× 为每秒四步，较长的顺序在半分钟内播完</translation>
    </message>
    <message>
        <source>step 0 of %1</source>
        <translation>步骤 0 / %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1, run at %2</source>
        <translation>%1，运行于 %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemBadge</name>
    <message>
        <source>1 error</source>
        <translation>1 个错误</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 个警告</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>Problems: %1</source>
        <translation>问题：%1</translation>
    </message>
    <message>
        <source>Show all problems</source>
        <translation>显示所有问题</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemList</name>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>file %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>值 %1</translation>
    </message>
    <message>
        <source>A setting forbids it: change the setting, or leave it as it is.</source>
        <translation>某项设置禁止它：更改设置，或保持现状。</translation>
    </message>
    <message>
        <source>The model was loaded all the same; check the named place before you trust results.</source>
        <translation>模型仍已加载；信任结果之前请检查所指之处。</translation>
    </message>
    <message>
        <source>Fix it in the model, or in Edit model if it is a type, shape or name.</source>
        <translation>请在模型中修正；若是类型、形状或名称，可在“编辑模型”中修正。</translation>
    </message>
    <message>
        <source>Dimensions are open: %1. Sizes and plans that depend on them are not known before a run.</source>
        <translation>维度未定：%1。依赖它们的大小和计划在运行前未知。</translation>
    </message>
    <message>
        <source>The partition panel shows what each provider answered.</source>
        <translation>分区面板显示每个 Provider 的回答。</translation>
    </message>
    <message>
        <source>No provider supports %1 nodes, so the model cannot run here.</source>
        <translation>没有 Provider 支持 %1 个节点，因此模型不能在此运行。</translation>
    </message>
    <message>
        <source>Read the reasons beside the nodes in the partition panel; edit the model, or add a provider that knows the operator.</source>
        <translation>请在分区面板查看节点旁的理由；编辑模型，或添加认识该算子的 Provider。</translation>
    </message>
    <message>
        <source>Compile the context again if it does not load or runs wrongly.</source>
        <translation>若上下文无法加载或运行有误，请重新编译。</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>编辑模型</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Difference of models</source>
        <translation>模型差异</translation>
    </message>
    <message>
        <source>%1 refused %2 (%3): %4</source>
        <translation>%1 拒绝了 %2（%3）：%4</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Nothing needs to be done: the next provider runs them.</source>
        <translation>无需处理：下一个 Provider 会运行它们。</translation>
    </message>
    <message>
        <source>Supported: %1</source>
        <translation>支持的条件：%1</translation>
    </message>
    <message>
        <source>Check the path; files with weights must lie where the model names them.</source>
        <translation>请检查路径；权重文件必须位于模型指定的位置。</translation>
    </message>
    <message>
        <source>The file is not an ONNX model, or is truncated: download or export it again.</source>
        <translation>该文件不是 ONNX 模型，或已被截断：请重新下载或导出。</translation>
    </message>
    <message>
        <source>The model breaks a rule of ONNX at this place: fix the exporter, or edit the model and save it.</source>
        <translation>模型在此处违反了 ONNX 的规则：请修正导出程序，或编辑模型并保存。</translation>
    </message>
    <message>
        <source>No kernel here knows this: try another provider, another opset or type, or cut the node off in Edit model.</source>
        <translation>此处没有内核认识它：请尝试其他 Provider、opset 或类型，或在“编辑模型”中切除该节点。</translation>
    </message>
    <message>
        <source>Correct what the message names and try again.</source>
        <translation>请更正消息所指之处并重试。</translation>
    </message>
    <message>
        <source>Take the provider out in what-if, or pin the node to another one, and try again.</source>
        <translation>请在假设中移出该 Provider，或将节点固定到另一个 Provider，然后重试。</translation>
    </message>
    <message>
        <source>It was cancelled: press F5 to run all stages again.</source>
        <translation>已取消：按 F5 重新执行所有阶段。</translation>
    </message>
    <message>
        <source>The model&apos;s settings ask for a compiled context: export one in the context stage, or change the setting.</source>
        <translation>模型的设置要求已编译的上下文：请在“上下文”阶段导出一个，或更改设置。</translation>
    </message>
    <message>
        <source>Look up the name in the graph; it may have been removed by an edit or an optimisation.</source>
        <translation>请在图中查找该名称；它可能已被编辑或优化移除。</translation>
    </message>
    <message>
        <source>Try again; if it comes back, copy this message with the model&apos;s name into a report.</source>
        <translation>请重试；若再次出现，请将此消息连同模型名称复制到报告中。</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Set their sizes in the bar below the stages, or fix them in Edit model.</source>
        <translation>在阶段下方的栏中设置其大小，或在“编辑模型”中固定它们。</translation>
    </message>
    <message>
        <source>The nodes are unchanged; switch the pass off if results are wrong.</source>
        <translation>节点未更改；如果结果错误，请关闭该优化过程。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProblemsPanel</name>
    <message>
        <source>Copy all as text</source>
        <translation>全部复制为文本</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>✓ No errors and no warnings.</source>
        <translation>✓ 没有错误，也没有警告。</translation>
    </message>
    <message>
        <source>Open a model: what is wrong with it is listed here.</source>
        <translation>打开模型：其中的问题会列在这里。</translation>
    </message>
    <message>
        <source>Errors: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>Warnings: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>Notes: %1</source>
        <translation>备注：%1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What to do next</source>
        <translation>接下来该做什么</translation>
    </message>
    <message>
        <source>Copied %1 lines</source>
        <translation>已复制 %1 行</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProfilePage</name>
    <message>
        <source>Keep as baseline</source>
        <translation>保留为基准</translation>
    </message>
    <message>
        <source>Read a trace</source>
        <translation>读取跟踪文件</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Only significant differences</source>
        <translation>仅显著差异</translation>
    </message>
    <message>
        <source>Later runs are compared with this one</source>
        <translation>之后的运行与此次比较</translation>
    </message>
    <message>
        <source>A trace written by onnxruntime or by Cutaway; it can also be dropped here</source>
        <translation>onnxruntime 或 Cutaway 写出的跟踪文件；也可拖到此处</translation>
    </message>
    <message>
        <source>Swaps the baseline and the present run</source>
        <translation>互换基准与当前运行</translation>
    </message>
    <message>
        <source>Remove the baseline</source>
        <translation>移除基准</translation>
    </message>
    <message>
        <source>As the baseline …</source>
        <translation>作为基准…</translation>
    </message>
    <message>
        <source>As the present run: paint it on the graph …</source>
        <translation>作为当前运行：绘制到图上…</translation>
    </message>
    <message>
        <source>Trace to compare with</source>
        <translation>用于比较的跟踪文件</translation>
    </message>
    <message>
        <source>Trace to paint on the graph</source>
        <translation>用于绘制到图上的跟踪文件</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Keep this run as the baseline, change something (threads, executor, provider, a flag) and run again: the differences are shown here, and which of them are significant.</source>
        <translation>将此次运行保留为基准，作一些更改（线程、执行器、Provider、开关）后再次运行：此处会显示差异，以及其中哪些是显著的。</translation>
    </message>
    <message>
        <source>Run the model, or read a trace, to compare profiles.</source>
        <translation>运行模型或读取跟踪文件以比较性能数据。</translation>
    </message>
    <message>
        <source>The baseline is “%1”, median %2. Run again to compare.</source>
        <translation>基准为“%1”，中位数 %2。再次运行以比较。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Only nodes with significant differences</source>
        <translation>仅有显著差异的节点</translation>
    </message>
    <message>
        <source>Traces and device profiles (*.json *.csv);;All files (*)</source>
        <translation>跟踪和设备配置 (*.json *.csv);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ProviderPriorities</name>
    <message>
        <source>Providers by priority</source>
        <translation>按优先级排列的 Provider</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes claimed, and their share of all</source>
        <translation>认领的节点及其占比</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作量</translation>
    </message>
    <message>
        <source>Operations of the nodes claimed, and their share</source>
        <translation>认领节点的运算量及其占比</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Compiled groups and other connected subgraphs</source>
        <translation>编译组与其他连通子图</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Nodes refused</source>
        <translation>拒绝的节点</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
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
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>Steps %1–%2</source>
        <translation>步骤 %1–%2</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>up to %1 live</source>
        <translation>最多存活 %1</translation>
    </message>
    <message>
        <source>Range of steps</source>
        <translation>步骤范围</translation>
    </message>
    <message>
        <source>Show all steps</source>
        <translation>显示全部步骤</translation>
    </message>
    <message>
        <source>Show all steps (Esc)</source>
        <translation>显示全部步骤 (Esc)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RealInputs</name>
    <message>
        <source>Random numbers</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>to the input</source>
        <translation>按输入尺寸</translation>
    </message>
    <message>
        <source>Shorter side in pixels</source>
        <translation>短边像素数</translation>
    </message>
    <message>
        <source>Pictures are scaled until their shorter side has so many pixels</source>
        <translation>缩放图片，使其短边为该像素数</translation>
    </message>
    <message>
        <source>the input&apos;s size</source>
        <translation>输入的尺寸</translation>
    </message>
    <message>
        <source>Square in the middle, in pixels</source>
        <translation>中央正方形的像素数</translation>
    </message>
    <message>
        <source>Of the scaled picture only this square is taken</source>
        <translation>只取缩放后图片的这个正方形</translation>
    </message>
    <message>
        <source>Mean of the channels</source>
        <translation>通道均值</translation>
    </message>
    <message>
        <source>Taken from every channel, whose numbers are 0 to 1: one for all or three, such as 0.485, 0.456, 0.406</source>
        <translation>从每个通道（取值 0 到 1）中减去：一个数用于全部，或三个数，例如 0.485, 0.456, 0.406</translation>
    </message>
    <message>
        <source>Standard deviation of the channels</source>
        <translation>通道标准差</translation>
    </message>
    <message>
        <source>Every channel is divided by it: one for all or three, such as 0.229, 0.224, 0.225</source>
        <translation>每个通道除以它：一个数用于全部，或三个数，例如 0.229, 0.224, 0.225</translation>
    </message>
    <message>
        <source>BGR</source>
        <translation>BGR</translation>
    </message>
    <message>
        <source>Choose files …</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose a folder …</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Input of the model that the files are for</source>
        <translation>文件所对应的模型输入</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>通道在前</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Where the input&apos;s shape does not tell it</source>
        <translation>当输入形状无法说明时</translation>
    </message>
    <message>
        <source>Blue is the first channel</source>
        <translation>蓝色为第一个通道</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Inputs of the comparison</source>
        <translation>比较所用的输入</translation>
    </message>
    <message>
        <source>Folder with inputs of the comparison</source>
        <translation>含比较输入的文件夹</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 个文件</translation>
    </message>
    <message>
        <source>Pictures, sounds, numbers and tensors (*.png *.jpg *.jpeg *.bmp *.ppm *.wav *.txt *.npy *.pb)</source>
        <translation>图片、声音、数字和张量 (*.png *.jpg *.jpeg *.bmp *.ppm *.wav *.txt *.npy *.pb)</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ResolvePanel</name>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Steps of the rule</source>
        <translation>规则的步骤</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Previous step of the rule</source>
        <translation>规则的上一步</translation>
    </message>
    <message>
        <source>Step of the rule</source>
        <translation>规则的步骤</translation>
    </message>
    <message>
        <source>Next step of the rule</source>
        <translation>规则的下一步</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 / %2：%3</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Overridable initializers</source>
        <translation>可覆盖的初始化器</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Intermediates</source>
        <translation>中间值</translation>
    </message>
    <message>
        <source>Read from outside</source>
        <translation>读自外部</translation>
    </message>
    <message>
        <source>Shapes known, symbolic, unknown</source>
        <translation>形状已知、符号化、未知</translation>
    </message>
    <message>
        <source>Open dimensions</source>
        <translation>未定维度</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Functions inlined</source>
        <translation>内联的函数</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>因为</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>At node</source>
        <translation>所在节点</translation>
    </message>
    <message>
        <source>%1 steps of the rule decided %2 of %3 values: follow them here.</source>
        <translation>规则的 %1 个步骤决定了 %3 个值中的 %2 个：可在此逐步查看。</translation>
    </message>
    <message>
        <source>%1 constant by their initializers</source>
        <translation>%1 个因初始化器而为常量</translation>
    </message>
    <message>
        <source>%1 made and read by nodes</source>
        <translation>%1 个由节点产生并读取</translation>
    </message>
    <message>
        <source>%1 of a graph around theirs</source>
        <translation>%1 个属于外层计算图</translation>
    </message>
    <message>
        <source>%1 used by nobody</source>
        <translation>%1 个无人使用</translation>
    </message>
    <message>
        <source>The others need no step: %1.</source>
        <translation>其余的无需步骤：%1。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RewritePicture</name>
    <message>
        <source>Before and after the rewrite</source>
        <translation>改写之前与之后</translation>
    </message>
    <message>
        <source>Before: %1. After: %2. %3</source>
        <translation>之前：%1。之后：%2。%3</translation>
    </message>
    <message>
        <source>After optimising</source>
        <translation>优化之后</translation>
    </message>
    <message>
        <source>In the model</source>
        <translation>在模型中</translation>
    </message>
    <message>
        <source>nothing is left of it</source>
        <translation>已无留存</translation>
    </message>
    <message>
        <source>nothing of the model</source>
        <translation>不来自模型</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Select a rewrite to see the nodes before and after it side by side, and marked on the graph.</source>
        <translation>选择一项改写，即可并排查看改写前后的节点，并在图上标出。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RulesPage</name>
    <message>
        <source>On</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Style rules, the first one that hits a node wins</source>
        <translation>样式规则，首个命中节点的规则生效</translation>
    </message>
    <message>
        <source>Rules colour the nodes that a query hits.
Search on the graph (Ctrl+F), then add the search as a rule,
and colour the graph by “Style rules”.</source>
        <translation>规则为查询命中的节点着色。
在图上搜索 (Ctrl+F)，将搜索添加为规则，
并按“样式规则”为图着色。</translation>
    </message>
    <message>
        <source>Earlier: it wins over the rules below</source>
        <translation>前移：优先于下面的规则</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>后移</translation>
    </message>
    <message>
        <source>Remove the rule</source>
        <translation>移除规则</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Click to choose another colour</source>
        <translation>单击选择另一种颜色</translation>
    </message>
    <message>
        <source>What the legend says; empty: the query</source>
        <translation>图例的说法；留空：查询本身</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Add rule: %1</source>
        <translation>添加规则：%1</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>颜色 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunControls</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Time nodes</source>
        <translation>节点计时</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Measure by runs or by seconds</source>
        <translation>按次数或按秒测量</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>顺序执行</translation>
    </message>
    <message>
        <source>Dataflow</source>
        <translation>数据流</translation>
    </message>
    <message>
        <source>Sequential: one node after the other. Dataflow: nodes that do not depend on each other run at the same time.</source>
        <translation>顺序执行：逐个节点。数据流：互不依赖的节点同时运行。</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads of the session; 0: all cores</source>
        <translation>会话的线程数；0：全部核心</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Nodes that may run at the same time; 0: automatic</source>
        <translation>可同时运行的节点数；0：自动</translation>
    </message>
    <message>
        <source>Inputs …</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>Inputs, warm-ups, seed, workers and tag</source>
        <translation>输入、预热、种子、工作线程和标签</translation>
    </message>
    <message>
        <source>Run the model (Ctrl+R)</source>
        <translation>运行模型 (Ctrl+R)</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>A word for this run, in its report and its trace</source>
        <translation>此次运行的标签，写入报告和跟踪文件</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Warm-ups</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Further inputs get random numbers.</source>
        <translation>其余输入使用随机数。</translation>
    </message>
    <message>
        <source>random numbers; or a .npy or .pb file</source>
        <translation>随机数；或 .npy、.pb 文件</translation>
    </message>
    <message>
        <source>File for input %1</source>
        <translation>输入 %1 的文件</translation>
    </message>
    <message>
        <source>File …</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose a file for input %1</source>
        <translation>为输入 %1 选择文件</translation>
    </message>
    <message>
        <source>Values for an input</source>
        <translation>输入的值</translation>
    </message>
    <message>
        <source>Tensors (*.npy *.pb);;All files (*)</source>
        <translation>张量 (*.npy *.pb);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunPanel</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Nodes (%1)</source>
        <translation>节点 (%1)</translation>
    </message>
    <message>
        <source>Compare •</source>
        <translation>比较 •</translation>
    </message>
    <message>
        <source>This model cannot run here: it has parts that were compiled for something else. Everything else about it is shown.</source>
        <translation>此模型不能在此运行：其中有为其他环境编译的部分。其余一切均可查看。</translation>
    </message>
    <message>
        <source>Not run yet. Press Run (Ctrl+R): times are painted on the graph as soon as it has run.</source>
        <translation>尚未运行。按“运行”(Ctrl+R)：运行后时间会绘制到图上。</translation>
    </message>
    <message>
        <source>This run was not profiled. Choose “Time nodes” and run again.</source>
        <translation>此次运行没有性能分析。选择“节点计时”并再次运行。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN、Inf</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>开头的值</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Why the run failed</source>
        <translation>运行失败的原因</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>运行失败：%1</translation>
    </message>
    <message>
        <source>The figures below are those of the run before.</source>
        <translation>下方数字来自上一次运行。</translation>
    </message>
    <message>
        <source>The run failed: there is nothing to show.</source>
        <translation>运行失败：没有可显示的内容。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::RunView</name>
    <message>
        <source>(not in this model)</source>
        <translation>（不在此模型中）</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1，共 %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>This call</source>
        <translation>此次调用</translation>
    </message>
    <message>
        <source>%1, %2 of the run</source>
        <translation>%1，占运行的 %2</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>, %1 calls</source>
        <translation>，%1 次调用</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作量</translation>
    </message>
    <message>
        <source>%1, %2 GFLOP/s</source>
        <translation>%1，%2 GFLOP/s</translation>
    </message>
    <message>
        <source>Reads, writes</source>
        <translation>读取、写入</translation>
    </message>
    <message>
        <source>%1, %2; %3 GB/s</source>
        <translation>%1，%2；%3 GB/s</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>From the arena</source>
        <translation>取自 Arena</translation>
    </message>
    <message>
        <source>Median per run</source>
        <translation>每次运行的中位数</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SchedulePanel</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Orders</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Critical path, share of work</source>
        <translation>关键路径，占工作量</translation>
    </message>
    <message>
        <source>%1 nodes%2</source>
        <translation>%1 个节点%2</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Max parallelism</source>
        <translation>最大并行度</translation>
    </message>
    <message>
        <source>Peak live memory</source>
        <translation>活跃内存峰值</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ScopeLayouts</name>
    <message>
        <source>%1 nodes are shown, and Graphviz is for fewer than %2: this is the layout of Cutaway.</source>
        <translation>显示了 %1 个节点，而 Graphviz 用于少于 %2 个节点的图：这是 Cutaway 的布局。</translation>
    </message>
    <message>
        <source>Graphviz is not installed (package graphviz): this is the layout of Cutaway.</source>
        <translation>未安装 Graphviz（软件包 graphviz）：这是 Cutaway 的布局。</translation>
    </message>
    <message>
        <source>Graphviz failed, so this is the layout of Cutaway: %1</source>
        <translation>Graphviz 失败，因此这是 Cutaway 的布局：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SelectionForm</name>
    <message>
        <source>This value is not in the model as loaded: an optimisation made it. Only what the file has can be edited.</source>
        <translation>此值不在所加载的模型中：它由优化产生。只能编辑文件中已有的内容。</translation>
    </message>
    <message>
        <source>Select a node or a value to edit it.</source>
        <translation>选择节点或值以进行编辑。</translation>
    </message>
    <message>
        <source>This node was made while the model was read and cannot be edited.</source>
        <translation>此节点在读取模型时产生，不能编辑。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>绕过</translation>
    </message>
    <message>
        <source>Readers of its first output read its first input of the same type instead</source>
        <translation>其首个输出的读取者改读其同类型的首个输入</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Readers of its outputs read new inputs of the graph instead</source>
        <translation>其输出的读取者改读图的新输入</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>%1: %2, too large to be edited here</source>
        <translation>%1：%2，太大，无法在此编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove from the outputs</source>
        <translation>从输出中移除</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>设为输出</translation>
    </message>
    <message>
        <source>Outputs of the graph are what a run gives back</source>
        <translation>图的输出是一次运行返回的内容</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>batch,3,224,224</source>
        <translation>batch,3,224,224</translation>
    </message>
    <message>
        <source>Edits of the selection</source>
        <translation>对所选内容的编辑</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SessionKeeper</name>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Sessions (*.cutaway);;All files (*)</source>
        <translation>会话 (*.cutaway);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The session was not opened: %1</source>
        <translation>会话未打开：%1</translation>
    </message>
    <message>
        <source>The session is damaged and was renamed to %1. %2</source>
        <translation>会话已损坏，已重命名为 %1。%2</translation>
    </message>
    <message>
        <source>Session opened: %1</source>
        <translation>会话已打开：%1</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>session.cutaway</source>
        <translation>session.cutaway</translation>
    </message>
    <message>
        <source>Sessions (*.cutaway)</source>
        <translation>会话 (*.cutaway)</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
    <message>
        <source>Session saved: %1</source>
        <translation>会话已保存：%1</translation>
    </message>
    <message>
        <source>Session not saved</source>
        <translation>会话未保存</translation>
    </message>
    <message>
        <source>What was saved before is still there, and nothing in the window is lost.</source>
        <translation>之前保存的内容仍在，窗口中没有任何丢失。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Save elsewhere …</source>
        <translation>保存到其他位置 …</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>The session %1 has changes that are not saved.</source>
        <translation>会话 %1 有未保存的更改。</translation>
    </message>
    <message>
        <source>Edits of %1 are not saved.</source>
        <translation>%1 的编辑未保存。</translation>
    </message>
    <message>
        <source>A session keeps them; saving the model is in the panel of edits.</source>
        <translation>会话会保留它们；保存模型请使用编辑面板。</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Cutaway did not end properly. What was open can be restored: %1.</source>
        <translation>Cutaway 未正常退出。可以恢复之前打开的内容：%1。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language changes when Cutaway is started again.</source>
        <translation>重新启动 Cutaway 后语言生效。</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Less motion: nothing glides or morphs</source>
        <translation>减少动画：不滑动也不变形</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>scrolls, with Ctrl it zooms</source>
        <translation>滚动，按住 Ctrl 缩放</translation>
    </message>
    <message>
        <source>zooms, with Ctrl it scrolls</source>
        <translation>缩放，按住 Ctrl 滚动</translation>
    </message>
    <message>
        <source>from top to bottom</source>
        <translation>从上到下</translation>
    </message>
    <message>
        <source>from left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>Nodes are grouped</source>
        <translation>节点分组</translation>
    </message>
    <message>
        <source>The next model that is opened</source>
        <translation>下一个打开的模型</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>所有核心</translation>
    </message>
    <message>
        <source>Threads of a run</source>
        <translation>运行线程数</translation>
    </message>
    <message>
        <source>Highest priority first, separated by commas, options in braces: openvino{device=CPU},cpu. Empty: cpu alone.</source>
        <translation>优先级最高者在前，以逗号分隔，选项置于花括号中：openvino{device=CPU},cpu。留空：仅 cpu。</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Read files again without asking when they change</source>
        <translation>文件更改时不询问直接重新读取</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>鼠标滚轮</translation>
    </message>
    <message>
        <source>Layout direction</source>
        <translation>布局方向</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShapeTables</name>
    <message>
        <source>%1 at %2 to %3 at %4</source>
        <translation>%1（%2）至 %3（%4）</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1（模拟）</translation>
    </message>
    <message>
        <source>run at %1</source>
        <translation>运行于 %1</translation>
    </message>
    <message>
        <source>%1 is not here</source>
        <translation>%1 不在本机</translation>
    </message>
    <message>
        <source>median latency, simulated</source>
        <translation>延迟中位数（模拟）</translation>
    </message>
    <message>
        <source>median latency</source>
        <translation>延迟中位数</translation>
    </message>
    <message>
        <source>Planned only: nothing was run.</source>
        <translation>仅规划：未运行。</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>规划峰值</translation>
    </message>
    <message>
        <source>No peak is known: other dimensions are open.</source>
        <translation>峰值未知：其他维度未定。</translation>
    </message>
    <message>
        <source>simulated median %1</source>
        <translation>模拟中位数 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>planned peak %1</source>
        <translation>规划峰值 %1</translation>
    </message>
    <message>
        <source>%1 without figures</source>
        <translation>%1 个无数据</translation>
    </message>
    <message>
        <source>%1 shapes: %2.</source>
        <translation>%1 个形状：%2。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>Planned peak</source>
        <translation>规划峰值</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Left to the last provider</source>
        <translation>留给最后的 Provider</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShapesPanel</name>
    <message>
        <source>Latency over shapes</source>
        <translation>各形状的延迟</translation>
    </message>
    <message>
        <source>Planned peak over shapes</source>
        <translation>各形状的规划峰值</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Figures over shapes</source>
        <translation>各形状的数据</translation>
    </message>
    <message>
        <source>Write several sizes for a dimension in the bar under the ribbon, as in 1, 8, 32 or 1..32.</source>
        <translation>在功能区下方的栏中为某个维度写入多个尺寸，如 1, 8, 32 或 1..32。</translation>
    </message>
    <message>
        <source>Shapes are being planned …</source>
        <translation>正在规划各形状…</translation>
    </message>
    <message>
        <source>Each is a session of its own; cancelling leaves everything as it is.</source>
        <translation>每个形状都是单独的会话；取消后一切保持不变。</translation>
    </message>
    <message>
        <source>How do latency and memory grow?</source>
        <translation>延迟和内存如何增长？</translation>
    </message>
    <message>
        <source>Plans the model for every combination of the sizes in the bar under the ribbon.</source>
        <translation>为功能区下方栏中尺寸的每种组合规划模型。</translation>
    </message>
    <message>
        <source>Plan the shapes</source>
        <translation>规划这些形状</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingForm</name>
    <message>
        <source>Add …</source>
        <translation>添加 …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Browse …</source>
        <translation>浏览 …</translation>
    </message>
    <message>
        <source>Replace existing files</source>
        <translation>替换已有文件</translation>
    </message>
    <message>
        <source>Models that share</source>
        <translation>共享权重的模型</translation>
    </message>
    <message>
        <source>The binary is named after the first model. Drag to order them.</source>
        <translation>二进制文件以第一个模型命名。拖动可调整顺序。</translation>
    </message>
    <message>
        <source>key=value, key=value</source>
        <translation>键=值, 键=值</translation>
    </message>
    <message>
        <source>Options of the provider, such as precision=bf16</source>
        <translation>Provider 的选项，例如 precision=bf16</translation>
    </message>
    <message>
        <source>Each model becomes its name with _ctx.onnx there, beside the binary of all.</source>
        <translation>每个模型在此成为其名称加 _ctx.onnx，旁边是所有模型共用的二进制文件。</translation>
    </message>
    <message>
        <source>Options of the provider</source>
        <translation>Provider 的选项</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;All files (*)</source>
        <translation>ONNX 模型 (*.onnx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Write the context models to</source>
        <translation>将上下文模型写入</translation>
    </message>
    <message>
        <source>Add a second model: one alone shares with nobody.</source>
        <translation>请再添加一个模型：单个模型无从共享。</translation>
    </message>
    <message>
        <source>No provider of this program can be used here.</source>
        <translation>此处没有可用的 Provider。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingPanel</name>
    <message>
        <source>The command of ep_weight_sharing_ctx_gen that does the same beside the models</source>
        <translation>在模型旁完成相同操作的 ep_weight_sharing_ctx_gen 命令</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Compile again</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Files written</source>
        <translation>已写入的文件</translation>
    </message>
    <message>
        <source>The models are being compiled …</source>
        <translation>正在编译模型 …</translation>
    </message>
    <message>
        <source>One after the other; all of them are written at the end, and nothing when you cancel.</source>
        <translation>逐个编译；最后一并写入，取消则什么也不写。</translation>
    </message>
    <message>
        <source>One binary for several models</source>
        <translation>多个模型共用一个二进制文件</translation>
    </message>
    <message>
        <source>Compiles the models one after the other and writes context models that keep what they have in common once.</source>
        <translation>逐个编译模型，并写出只保存一份共有内容的上下文模型。</translation>
    </message>
    <message>
        <source>Compile and write</source>
        <translation>编译并写入</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SharingRows</name>
    <message>
        <source>Nothing was compiled, so nothing was written.</source>
        <translation>没有编译任何内容，因此没有写入。</translation>
    </message>
    <message>
        <source>Models written: %1, binaries: %2. %3 are kept once instead of several times.</source>
        <translation>已写入模型：%1，二进制文件：%2。%3 只保存一份而非多份。</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search for a key or for what it does</source>
        <translation>按键或功能搜索</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>功能</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>打印…</translation>
    </message>
    <message>
        <source>Writes the sheet as PDF</source>
        <translation>将此表写为 PDF</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Print into a PDF</source>
        <translation>打印为 PDF</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SlicePage</name>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Go to 0,2,17</source>
        <translation>转到 0,2,17</translation>
    </message>
    <message>
        <source>Go to an element</source>
        <translation>转到元素</translation>
    </message>
    <message>
        <source>An index for every axis, or one number that counts all elements</source>
        <translation>每个轴一个索引，或计数所有元素的一个数</translation>
    </message>
    <message>
        <source>Rows before</source>
        <translation>前面的行</translation>
    </message>
    <message>
        <source>Rows after</source>
        <translation>后面的行</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>There is no such element in %1</source>
        <translation>%1 中没有这样的元素</translation>
    </message>
    <message>
        <source>axis %1 (%2)</source>
        <translation>轴 %1（%2）</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>轴 %1： </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>轴 %1 的索引</translation>
    </message>
    <message>
        <source>no elements</source>
        <translation>没有元素</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>rows %1 – %2 of %3</source>
        <translation>行 %1 – %2，共 %3</translation>
    </message>
    <message>
        <source>, columns %1 – %2 of %3</source>
        <translation>，列 %1 – %2，共 %3</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StagePanel</name>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>What if •</source>
        <translation>假设 •</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StageRibbon</name>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>working …</source>
        <translation>处理中…</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>此处不能运行</translation>
    </message>
    <message>
        <source>exporting …</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>export failed</source>
        <translation>导出失败</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StageWaiting</name>
    <message>
        <source>%1 is running</source>
        <translation>%1 正在进行</translation>
    </message>
    <message>
        <source>%1 comes later</source>
        <translation>%1 稍后进行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled before %1</source>
        <translation>在 %1 之前取消</translation>
    </message>
    <message>
        <source>What was done until then is shown.</source>
        <translation>此前完成的内容已显示。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 was not reached</source>
        <translation>%1 未到达</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>尚无可显示的内容</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StartPage</name>
    <message>
        <source>See what inference does with your model</source>
        <translation>看看推理对你的模型做了什么</translation>
    </message>
    <message>
        <source>Drop an .onnx file here. Cutaway shows every stage, from the file to the finished run.</source>
        <translation>将 .onnx 文件拖到这里。Cutaway 会展示从文件到运行完成的每个阶段。</translation>
    </message>
    <message>
        <source>Open a model …</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Sample models: small networks that read handwritten digits</source>
        <translation>示例模型：识别手写数字的小型网络</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>%1 no longer exists; click to remove it from the list</source>
        <translation>%1 已不存在；点击即从列表中移除</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>find any command</source>
        <translation>查找任何命令</translation>
    </message>
    <message>
        <source>all keys</source>
        <translation>所有按键</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StationCard</name>
    <message>
        <source>Go to this stage; the selection stays</source>
        <translation>转到此阶段；选择保持不变</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StatisticsPage</name>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Statistics of the tensor</source>
        <translation>张量的统计</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Median, about</source>
        <translation>中位数，约</translation>
    </message>
    <message>
        <source>Mean of magnitudes</source>
        <translation>绝对值平均</translation>
    </message>
    <message>
        <source>Euclidean norm</source>
        <translation>欧几里得范数</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StatisticsStrip</name>
    <message>
        <source>Statistics of the runs</source>
        <translation>运行统计</translation>
    </message>
    <message>
        <source>Deviation: %1</source>
        <translation>偏差：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StepTimeline</name>
    <message>
        <source>By step</source>
        <translation>按步骤</translation>
    </message>
    <message>
        <source>Every step as long as any other</source>
        <translation>每一步同样长</translation>
    </message>
    <message>
        <source>By cost</source>
        <translation>按代价</translation>
    </message>
    <message>
        <source>Every step as long as its node takes</source>
        <translation>每一步与其节点用时同长</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Timeline of steps</source>
        <translation>步骤时间线</translation>
    </message>
    <message>
        <source>%1 of work in %2</source>
        <translation>%1 的工作量，%2 内</translation>
    </message>
    <message>
        <source>a lane per worker</source>
        <translation>每个工作线程一条泳道</translation>
    </message>
    <message>
        <source>a lane per stream</source>
        <translation>每个流一条泳道</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StoryPanel</name>
    <message>
        <source>Select a node or a value, in any stage,
to follow it through all of them.</source>
        <translation>在任意阶段选择节点或值，
即可查看它在各阶段的情况。</translation>
    </message>
    <message>
        <source>Story of the selection</source>
        <translation>所选内容的经历</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StudyJob</name>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Only the provider that takes every node is chosen: put another one before it in the settings.</source>
        <translation>只选择了接受全部节点的 Provider：请在设置中把另一个放在它前面。</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>正在开始…</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::StudyPanel</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>重新搜索</translation>
    </message>
    <message>
        <source>The model or its settings have changed since.</source>
        <translation>此后模型或其设置已更改。</translation>
    </message>
    <message>
        <source>There is no answer</source>
        <translation>没有得到回答</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Save the changed copy</source>
        <translation>保存修改后的副本</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;All files (*)</source>
        <translation>ONNX 模型 (*.onnx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 is the model that is open. Choose another name for the copy.</source>
        <translation>%1 是当前打开的模型。请为副本选择其他名称。</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SupportPanel</name>
    <message>
        <source>Makes the chosen provider the first of this model&apos;s list</source>
        <translation>将所选 Provider 置于此模型列表的首位</translation>
    </message>
    <message>
        <source>Put it first</source>
        <translation>置于首位</translation>
    </message>
    <message>
        <source>Support by provider</source>
        <translation>各 Provider 的支持</translation>
    </message>
    <message>
        <source>%1 is asked first now.</source>
        <translation>现在首先询问 %1。</translation>
    </message>
    <message>
        <source>Providers are being asked …</source>
        <translation>正在询问 Provider…</translation>
    </message>
    <message>
        <source>Each is asked about every node; nothing is compiled or run.</source>
        <translation>逐个询问每个节点；不编译也不运行。</translation>
    </message>
    <message>
        <source>Where would this model run?</source>
        <translation>此模型能在哪里运行？</translation>
    </message>
    <message>
        <source>Asks every provider and every support profile which nodes of this model it takes.</source>
        <translation>询问每个 Provider 和每个支持配置文件接受此模型的哪些节点。</translation>
    </message>
    <message>
        <source>Ask all providers</source>
        <translation>询问所有 Provider</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SupportTables</name>
    <message>
        <source>no answer</source>
        <translation>无回答</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>here</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>answers, cannot run here</source>
        <translation>可回答，无法在此运行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of the known</source>
        <translation>已知部分的 %1</translation>
    </message>
    <message>
        <source>No provider gave an answer.</source>
        <translation>没有 Provider 给出回答。</translation>
    </message>
    <message>
        <source>All nodes are taken by: %1.</source>
        <translation>接受全部节点的有：%1。</translation>
    </message>
    <message>
        <source>%1 takes most: %2 nodes. None takes all.</source>
        <translation>%1 接受最多：%2 个节点。没有一个接受全部。</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>That it takes when it is asked alone, before the provider that takes the rest</source>
        <translation>单独询问（在接收其余节点的 Provider 之前）时它接受的节点</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>Its share of the FLOPs of nodes whose sizes are known</source>
        <translation>在尺寸已知的节点的 FLOP 中所占的份额</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Most frequent refusal</source>
        <translation>最常见的拒绝原因</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepGrid</name>
    <message>
        <source>Models and configurations</source>
        <translation>模型与配置</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepPage</name>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Sizes, separated by commas</source>
        <translation>大小，以逗号分隔</translation>
    </message>
    <message>
        <source>Sizes, separated by commas; at most %1</source>
        <translation>大小，以逗号分隔；最多 %1 个</translation>
    </message>
    <message>
        <source>Peak over sizes</source>
        <translation>各大小的峰值</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Plan sizes</source>
        <translation>规划各大小</translation>
    </message>
    <message>
        <source>Sizes are whole numbers from 1 on, separated by commas, at most %1 of them.</source>
        <translation>大小为从 1 起的整数，以逗号分隔，最多 %1 个。</translation>
    </message>
    <message>
        <source>Planning …</source>
        <translation>正在规划…</translation>
    </message>
    <message>
        <source>How does memory grow? Plans the model for every size of a dimension, without running it.</source>
        <translation>内存如何增长？对某维度的每个大小规划模型，但不运行。</translation>
    </message>
    <message>
        <source>The model has no open dimension. Open it without binding one to sweep over its sizes.</source>
        <translation>模型没有未定维度。打开时不绑定某一维度，即可遍历其大小。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::SweepTab</name>
    <message>
        <source>What cells show</source>
        <translation>单元格显示的内容</translation>
    </message>
    <message>
        <source>Version of the program</source>
        <translation>程序版本</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Open model in this configuration</source>
        <translation>以此配置打开模型</translation>
    </message>
    <message>
        <source>Details of the cell</source>
        <translation>单元格详情</translation>
    </message>
    <message>
        <source>Reading the sweep …</source>
        <translation>正在读取扫描结果 …</translation>
    </message>
    <message>
        <source>The sweep could not be read</source>
        <translation>无法读取扫描结果</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Compared with nothing</source>
        <translation>不作比较</translation>
    </message>
    <message>
        <source>Beside %1</source>
        <translation>与 %1 对照</translation>
    </message>
    <message>
        <source>Beside another file …</source>
        <translation>与另一个文件对照 …</translation>
    </message>
    <message>
        <source>Results to compare with</source>
        <translation>用于比较的结果</translation>
    </message>
    <message>
        <source>Results of a sweep (*.sqlite);;All files (*)</source>
        <translation>扫描结果 (*.sqlite);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 models × %2 configurations, %3 jobs</source>
        <translation>%1 个模型 × %2 个配置，%3 个任务</translation>
    </message>
    <message>
        <source>%1 open</source>
        <translation>%1 个未完成</translation>
    </message>
    <message>
        <source>%1 worse, %2 better of %3 compared</source>
        <translation>%3 个已比较：%1 个变差，%2 个变好</translation>
    </message>
    <message>
        <source>Choose what to compare with.</source>
        <translation>请选择比较对象。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Teller</name>
    <message>
        <source>value, %1</source>
        <translation>值，%1</translation>
    </message>
    <message>
        <source>type not known</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>made of %1 original nodes</source>
        <translation>由 %1 个原始节点构成</translation>
    </message>
    <message>
        <source>A value of the model</source>
        <translation>模型的一个值</translation>
    </message>
    <message>
        <source>Not in the model</source>
        <translation>不在模型中</translation>
    </message>
    <message>
        <source>A rewrite or a copy between devices made this value.</source>
        <translation>此值由某次改写或设备间的复制产生。</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>角色：%1</translation>
    </message>
    <message>
        <source>It does not exist after optimisation: the node that made it was fused or folded.</source>
        <translation>优化后它已不存在：产生它的节点已被融合或折叠。</translation>
    </message>
    <message>
        <source>One node of the model</source>
        <translation>模型的一个节点</translation>
    </message>
    <message>
        <source>%1 nodes of the model</source>
        <translation>模型的 %1 个节点</translation>
    </message>
    <message>
        <source>No node of the model</source>
        <translation>不是模型的节点</translation>
    </message>
    <message>
        <source>A later stage made it, see below.</source>
        <translation>它由之后的阶段产生，见下文。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Not rewritten</source>
        <translation>未改写</translation>
    </message>
    <message>
        <source>Rewritten by %1</source>
        <translation>由 %1 改写</translation>
    </message>
    <message>
        <source>Rewritten %1 times</source>
        <translation>改写 %1 次</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>It ends here</source>
        <translation>到此为止</translation>
    </message>
    <message>
        <source>It was removed: nothing reads its outputs.</source>
        <translation>它已被移除：没有节点读取其输出。</translation>
    </message>
    <message>
        <source>Removed by %1</source>
        <translation>由 %1 移除</translation>
    </message>
    <message>
        <source>Folded into %1 by %2</source>
        <translation>被 %2 折叠进 %1</translation>
    </message>
    <message>
        <source>No provider claimed it</source>
        <translation>没有 Provider 认领它</translation>
    </message>
    <message>
        <source>Assigned to %1</source>
        <translation>分配给 %1</translation>
    </message>
    <message>
        <source>In a compiled group of %1 nodes: %2</source>
        <translation>在 %1 个节点的编译组中：%2</translation>
    </message>
    <message>
        <source>In a subgraph of %1 nodes</source>
        <translation>在 %1 个节点的子图中</translation>
    </message>
    <message>
        <source>and %1 more nodes</source>
        <translation>以及另外 %1 个节点</translation>
    </message>
    <message>
        <source>not in the model: created by %1</source>
        <translation>不在模型中：由 %1 创建</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TensorController</name>
    <message>
        <source>This window was built without reading models.</source>
        <translation>此窗口构建时不含读取模型的功能。</translation>
    </message>
    <message>
        <source>The model has no value of this name in this graph.</source>
        <translation>模型的此图中没有该名称的值。</translation>
    </message>
    <message>
        <source>The model is not ready to run yet: a run is needed to keep the value.</source>
        <translation>模型尚未准备好运行：需要一次运行才能保留该值。</translation>
    </message>
    <message>
        <source>This model cannot run here; it can only be inspected.</source>
        <translation>此模型不能在此运行；仅供查看。</translation>
    </message>
    <message>
        <source>There is no model to run: this is a report only.</source>
        <translation>没有可运行的模型：这只是一份报告。</translation>
    </message>
    <message>
        <source>The value is inside a body or function, which may run many times or not at all; only values of the main graph are kept by a run.</source>
        <translation>该值位于可能多次运行或根本不运行的子图或函数中；运行只保留主图的值。</translation>
    </message>
    <message>
        <source>The value is gone after optimising and fusing: no kernel writes it to memory. Open the model with level 0 and the CPU provider alone to see it.</source>
        <translation>该值在优化和融合后已不存在：没有内核把它写入内存。以级别 0 且仅用 CPU Provider 打开模型即可查看。</translation>
    </message>
    <message>
        <source>Nothing reads the value, so no run makes it.</source>
        <translation>没有任何节点读取该值，因此没有运行会产生它。</translation>
    </message>
    <message>
        <source>The engine is busy: the value can be fetched when it is done.</source>
        <translation>引擎正忙：完成后即可取得该值。</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>正在取得 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TensorPanel</name>
    <message>
        <source>Fetch</source>
        <translation>取得</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Keep this tensor and subtract it from others</source>
        <translation>保留此张量，并从其他张量中减去它</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Fetching</source>
        <translation>正在取得</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Run and keep it</source>
        <translation>运行并保留</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>正在取得 %1</translation>
    </message>
    <message>
        <source>It could not be fetched</source>
        <translation>无法取得</translation>
    </message>
    <message>
        <source>Choose a value on the graph, or a node: its weights and what it makes can be looked at here.</source>
        <translation>在图上选择值或节点：可在此查看其权重及它产生的内容。</translation>
    </message>
    <message>
        <source>It is computed when the model runs: one run with the inputs of the run panel keeps it.</source>
        <translation>它在模型运行时计算：以运行面板的输入运行一次即可保留它。</translation>
    </message>
    <message>
        <source>A weight in the file, not read yet because it is large.</source>
        <translation>文件中的权重，因其较大尚未读取。</translation>
    </message>
    <message>
        <source>The model runs once.</source>
        <translation>模型运行一次。</translation>
    </message>
    <message>
        <source>Read from the file, then counted for the statistics.</source>
        <translation>从文件读取，然后统计。</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Save as .npy …</source>
        <translation>保存为 .npy…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图像</translation>
    </message>
    <message>
        <source>Save picture, a pixel an element …</source>
        <translation>保存图像，每元素一像素…</translation>
    </message>
    <message>
        <source>Export what is seen …</source>
        <translation>导出所见内容…</translation>
    </message>
    <message>
        <source>Save tensor</source>
        <translation>保存张量</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图像</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图像 (*.png)</translation>
    </message>
    <message>
        <source>Cannot write %1: choose another folder</source>
        <translation>无法写入 %1：请选择另一个文件夹</translation>
    </message>
    <message>
        <source>Show the values again</source>
        <translation>重新显示值</translation>
    </message>
    <message>
        <source>Keep this one for comparing</source>
        <translation>保留此张量用于比较</translation>
    </message>
    <message>
        <source>Difference from %1</source>
        <translation>与 %1 的差</translation>
    </message>
    <message>
        <source>Choose another value to compare with %1</source>
        <translation>选择另一个值与 %1 比较</translation>
    </message>
    <message>
        <source>%1 has another shape</source>
        <translation>%1 的形状不同</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>忘记 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TermReader</name>
    <message>
        <source>There is no field “%1”. Put the word in quotes to look for it as it stands.</source>
        <translation>没有字段“%1”。给该词加引号可按原文查找。</translation>
    </message>
    <message>
        <source>The expression is not complete: %1, at character %2.</source>
        <translation>表达式不完整：%1，在第 %2 个字符处。</translation>
    </message>
    <message>
        <source>After “%1” comes :, =, &lt; or &gt;.</source>
        <translation>“%1”之后应为 :、=、&lt; 或 &gt;。</translation>
    </message>
    <message>
        <source>“%1” is not a number for %2; units are %3.</source>
        <translation>“%1”不是 %2 的数值；单位为 %3。</translation>
    </message>
    <message>
        <source>“%1” is text: it takes :, = or !=.</source>
        <translation>“%1”是文本：可用 :、= 或 !=。</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Timeline</name>
    <message>
        <source>Timeline of spans</source>
        <translation>时间段的时间线</translation>
    </message>
    <message>
        <source>W and S zoom, A and D move, period and comma step through the spans, M marks, R makes a range, F centres, 0 shows all, Escape clears the range</source>
        <translation>W 和 S 缩放，A 和 D 移动，句点和逗号逐段浏览，M 设标记，R 设范围，F 居中，0 显示全部，Esc 清除范围</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TimelinePage</name>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Colours of the timeline</source>
        <translation>时间线的颜色</translation>
    </message>
    <message>
        <source>Memory that the session holds</source>
        <translation>会话持有的内存</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Colour the spans by %1</source>
        <translation>时间段按 %1 着色</translation>
    </message>
    <message>
        <source>Keys of the timeline</source>
        <translation>时间线的按键</translation>
    </message>
    <message>
        <source>Zoom in (W, +)</source>
        <translation>放大 (W, +)</translation>
    </message>
    <message>
        <source>Zoom out (S, −)</source>
        <translation>缩小 (S, −)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>All of the run (0, double click)</source>
        <translation>整个运行 (0，双击)</translation>
    </message>
    <message>
        <source>%1, %2 busy, %3</source>
        <translation>%1，忙碌 %2，%3</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Ran between %1 and %2</source>
        <translation>运行于 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>Ctrl+wheel or W and S: zoom at the pointer
Drag: choose a range; graph and tables show what ran in it
Shift+drag or A and D: move
Click: select the node and go to its step; double click or 0: all of the run
. and ,: next and previous span; F: centre it, then fit it
M: mark; R: range of the span, or between the last two marks
Esc: clear the range or the selection</source>
        <translation>Ctrl+滚轮或 W、S：在指针处缩放
拖动：选择范围；图和表显示其中运行的内容
Shift+拖动或 A、D：移动
单击：选择节点并转到其步骤；双击或 0：整个运行
. 和 ,：下一段与上一段；F：居中，然后适合
M：标记；R：该段的范围，或最后两个标记之间
Esc：取消范围或选择</translation>
    </message>
    <message>
        <source>Whose memory is shown</source>
        <translation>显示谁的内存</translation>
    </message>
    <message>
        <source>Whose memory the chart below the lanes shows</source>
        <translation>轨道下方的图显示谁的内存</translation>
    </message>
    <message>
        <source>Memory of %1</source>
        <translation>%1 的内存</translation>
    </message>
    <message>
        <source>%1. Bars are medians of the runs</source>
        <translation>%1。条形为各次运行的中位数</translation>
    </message>
    <message>
        <source>Fastest run: %1</source>
        <translation>最快的运行：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::Tour</name>
    <message>
        <source>cannot make the folder %1</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>the tour took too long</source>
        <translation>导览用时过长</translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>%1 could not be read</source>
        <translation>无法读取 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::TruthWords</name>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>partial</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>an arena played the plan&apos;s requests</source>
        <translation>由内存池按计划的请求重演得出</translation>
    </message>
    <message>
        <source>the critical path, by operations and bytes of nodes; steps are exact</source>
        <translation>关键路径，按节点的运算量和字节数；步骤数精确</translation>
    </message>
    <message>
        <source>the critical path, every node counted alike because sizes are open; steps are exact</source>
        <translation>关键路径，因大小未定而对每个节点等同计数；步骤数精确</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>%1, all between %2 and %3</source>
        <translation>%1，全部介于 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>%1, median between %2 and %3</source>
        <translation>%1，中位数介于 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>%1: %2 of %3 %4 have a size before running</source>
        <translation>%1：运行前 %3 个%4中有 %2 个大小已知</translation>
    </message>
    <message>
        <source>%1: %2 is not here, CPU kernels or a simulator ran in its place</source>
        <translation>%1：%2 不在此处，由 CPU 内核或模拟器代为运行</translation>
    </message>
    <message>
        <source>%1 elsewhere: %2</source>
        <translation>在别处%1：%2</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1，取 %2</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::ValuePage</name>
    <message>
        <source>Select a value in the table, or a node on the graph, to see which buffer it lives in and why.</source>
        <translation>在表中选择一个值，或在图上选择一个节点，查看它位于哪个缓冲区及原因。</translation>
    </message>
    <message>
        <source>Why this value lives in this buffer</source>
        <translation>该值位于此缓冲区的原因</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WalkSettings</name>
    <message>
        <source>all cores</source>
        <translation>所有核心</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Model settings – %1</source>
        <translation>模型设置 – %1</translation>
    </message>
    <message>
        <source>The same as a command line</source>
        <translation>等价的命令行</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Providers by priority</source>
        <translation>按优先级排列的 Provider</translation>
    </message>
    <message>
        <source>Checked providers are used, highest priority first; options in braces: openvino{device=CPU}</source>
        <translation>使用勾选的 Provider，优先级最高者在前；选项置于花括号中：openvino{device=CPU}</translation>
    </message>
    <message>
        <source>Providers by priority; nodes that none of them claims go to cpu</source>
        <translation>按优先级排列的 Provider；未被认领的节点交给 cpu</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>one node after another</source>
        <translation>逐个节点</translation>
    </message>
    <message>
        <source>independent nodes at the same time</source>
        <translation>独立节点并行</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>by priority</source>
        <translation>按优先级</translation>
    </message>
    <message>
        <source>least memory first</source>
        <translation>内存最少优先</translation>
    </message>
    <message>
        <source>first in, first out</source>
        <translation>先进先出</translation>
    </message>
    <message>
        <source>Cutaway&apos;s rules</source>
        <translation>Cutaway 规则</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s rules</source>
        <translation>onnxruntime 的规则</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Optimisation level</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>Smallest group to compile</source>
        <translation>最小编译分组</translation>
    </message>
    <message>
        <source>Execution order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>Threads of a run</source>
        <translation>运行线程数</translation>
    </message>
    <message>
        <source>Workers of the executor</source>
        <translation>执行器工作线程</translation>
    </message>
    <message>
        <source>Memory planning</source>
        <translation>内存规划</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存限制</translation>
    </message>
    <message>
        <source>No provider is checked.</source>
        <translation>未勾选任何提供者。</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s default</source>
        <translation>onnxruntime 的默认</translation>
    </message>
    <message>
        <source>onnxruntime&apos;s rules for training</source>
        <translation>onnxruntime 的训练规则</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfDraft</name>
    <message>
        <source>uses %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>%1 unpinned</source>
        <translation>%1 取消固定</translation>
    </message>
    <message>
        <source>groups of at least %1</source>
        <translation>组至少含 %1</translation>
    </message>
    <message>
        <source>settings of the file that was loaded</source>
        <translation>所加载文件的设置</translation>
    </message>
</context>
<context>
    <name>cutaway::ui::WhatIfPage</name>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Loaded %1</source>
        <translation>已加载 %1</translation>
    </message>
    <message>
        <source>Copied %1 lines of settings</source>
        <translation>已复制 %1 行设置</translation>
    </message>
    <message>
        <source>Run both</source>
        <translation>运行两者</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Also compile both and run each %1 times on random inputs</source>
        <translation>同时编译两者，并以随机输入各运行 %1 次</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save configuration</source>
        <translation>保存配置</translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation>配置 (*.json)</translation>
    </message>
    <message>
        <source>Load …</source>
        <translation>加载…</translation>
    </message>
    <message>
        <source>Load configuration</source>
        <translation>加载配置</translation>
    </message>
    <message>
        <source>Configurations (*.json);;All files (*)</source>
        <translation>配置 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Copy the equivalent onnxruntime settings</source>
        <translation>复制等效的 onnxruntime 设置</translation>
    </message>
    <message>
        <source>Moved (%1)</source>
        <translation>移动 (%1)</translation>
    </message>
    <message>
        <source>Copies (+%1 −%2)</source>
        <translation>复制 (+%1 −%2)</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排显示</translation>
    </message>
    <message>
        <source>Both configurations as two graphs that move together; differences are coloured</source>
        <translation>两种配置显示为一起移动的两个图；差异以颜色表示</translation>
    </message>
</context>
</TS>
