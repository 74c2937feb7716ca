"""Nodes that break a rule of their operator: what each is fed, and what the message must hold.

bad(family, name, operator, inputs, says, attributes..., opset=, domain=): `inputs` are arrays in slot order, None for an
absent one; those in `constants` (by slot) are initializers. `says` is a regular expression the message must match, beside
the operator's name: values that were seen, or the rule.
"""

import dataclasses

import numpy as np

MS, ML = "com.microsoft", "ai.onnx.ml"


@dataclasses.dataclass
class Bad:
    family: str
    name: str
    operator: str
    inputs: list
    says: str
    attributes: dict
    outputs: int = 1
    constants: tuple = ()
    opset: int = 21
    domain: str = ""


def bad(family, name, operator, inputs, says, outputs=1, constants=(), opset=21, domain="", **attributes):
    return Bad(family, name, operator, inputs, says, attributes, outputs, constants, opset, domain)


def f(*shape):
    return np.ones(shape, np.float32)


def i(*numbers):
    return np.array(numbers, np.int64)


def scalar(number, dtype=np.int64):
    return np.array(number, dtype)


HUGE = 2**62


def elementwise():
    for operator in ("Add", "Mul", "Div", "Max", "PRelu"):
        yield bad("elementwise", f"{operator}_shapes", operator, [f(2, 3), f(4, 5)], "2.*3.*4.*5|broadcast")
    yield bad("elementwise", "where_shapes", "Where", [np.ones((2, 3), bool), f(4), f(4)], "broadcast|2.*3|4")
    yield bad("elementwise", "div_by_zero_int", "Div", [i(1, 2), i(1, 0)], "zero")
    yield bad("elementwise", "mod_by_zero_int", "Mod", [i(1, 2), i(1, 0)], "zero")
    yield bad("elementwise", "clip_min_rank", "Clip", [f(4), f(4), f(2)], "scalar|rank|one|shape", opset=13)
    yield bad("elementwise", "bitshift_direction", "BitShift", [np.ones(3, np.uint8), np.ones(3, np.uint8)], "direction", direction="UP")
    yield bad("elementwise", "cast_to_unknown", "Cast", [f(3)], "to", to=99)
    yield bad("elementwise", "cast_text_to_number", "Cast", [np.array(["one"], dtype=object)], "one", to=1)
    yield bad("elementwise", "sum_shapes", "Sum", [f(2), f(3), f(4)], "broadcast|2|3")
    yield bad("elementwise", "cumsum_axis", "CumSum", [f(2, 3), scalar(5)], "5")
    yield bad("elementwise", "isinf_flags_fine_type_bad", "IsInf", [i(1)], "int64|type")


def shape():
    yield bad("shape", "reshape_count", "Reshape", [f(2, 3), i(4, 2)], "6|8|4|2.*3")
    yield bad("shape", "reshape_two_minus_ones", "Reshape", [f(2, 3), i(-1, -1)], "-1")
    yield bad("shape", "reshape_minus_two", "Reshape", [f(2, 3), i(-2, 3)], "-2")
    yield bad("shape", "reshape_zero_beyond_rank", "Reshape", [f(2), i(2, 0)], "rank 1")
    yield bad("shape", "reshape_overflow", "Reshape", [f(2, 3), i(HUGE, HUGE)], "64 bits|6")
    yield bad("shape", "reshape_zero_and_minus_one", "Reshape", [f(0, 3), i(0, -1)], "-1|zero|0", allowzero=1)
    yield bad("shape", "expand_shapes", "Expand", [f(2, 3), i(4, 5)], "2.*3|broadcast")
    yield bad("shape", "expand_negative", "Expand", [f(1), i(-3)], "-3")
    yield bad("shape", "expand_overflow", "Expand", [f(1), i(HUGE, HUGE)], "64 bits|large|memory")
    yield bad("shape", "transpose_perm_length", "Transpose", [f(2, 3)], "perm", perm=[0, 1, 2])
    yield bad("shape", "transpose_perm_twice", "Transpose", [f(2, 3)], "perm|twice", perm=[0, 0])
    yield bad("shape", "transpose_perm_range", "Transpose", [f(2, 3)], "perm|7", perm=[0, 7])
    yield bad("shape", "concat_dims", "Concat", [f(2, 3), f(2, 4)], "3|4", axis=0)
    yield bad("shape", "concat_axis", "Concat", [f(2, 3), f(2, 3)], "axis.*5|5", axis=5)
    yield bad("shape", "concat_ranks", "Concat", [f(2, 3), f(6)], "rank|2.*3|dimension", axis=0)
    yield bad("shape", "split_sizes", "Split", [f(6), i(2, 2)], "split|sum|6", outputs=2, axis=0)
    yield bad("shape", "split_negative", "Split", [f(6), i(-2, 8)], "-2|negative|split", outputs=2, axis=0)
    yield bad("shape", "split_axis", "Split", [f(6), i(3, 3)], "axis|9", outputs=2, axis=9)
    yield bad("shape", "slice_axes_range", "Slice", [f(4), i(0), i(2), i(3)], "axis|axes|3")
    yield bad("shape", "slice_step_zero", "Slice", [f(4), i(0), i(2), i(0), i(0)], "step")
    yield bad("shape", "slice_lengths", "Slice", [f(4, 4), i(0, 0), i(2), i(0, 1)], "starts|ends|length|1")
    yield bad("shape", "squeeze_not_one", "Squeeze", [f(2, 3), i(0)], "2|1")
    yield bad("shape", "squeeze_axis", "Squeeze", [f(1, 3), i(7)], "7")
    yield bad("shape", "unsqueeze_axis", "Unsqueeze", [f(3), i(7)], "7")
    yield bad("shape", "unsqueeze_twice", "Unsqueeze", [f(3), i(0, 0)], "twice|duplicate|repeat|unique|once|0")
    yield bad("shape", "pad_length", "Pad", [f(2, 3), i(1, 1)], "pads|2")
    yield bad("shape", "pad_below_zero_size", "Pad", [f(2), i(-2, -2)], "-2|negative|size")
    yield bad("shape", "pad_mode", "Pad", [f(2), i(1, 1)], "mode|mirror", mode="mirror")
    yield bad("shape", "pad_overflow", "Pad", [f(2), i(HUGE, HUGE)], "64 bits|large|memory")
    yield bad("shape", "tile_negative", "Tile", [f(2, 3), i(1, -1)], "-1")
    yield bad("shape", "tile_length", "Tile", [f(2, 3), i(1, 1, 1)], "repeats|3|2")
    yield bad("shape", "tile_overflow", "Tile", [f(2, 3), i(HUGE, HUGE)], "64 bits|large|memory")
    yield bad("shape", "depth_to_space_channels", "DepthToSpace", [f(1, 3, 2, 2)], "3|blocksize", blocksize=2)
    yield bad("shape", "depth_to_space_block_zero", "DepthToSpace", [f(1, 4, 2, 2)], "blocksize|0", blocksize=0)
    yield bad("shape", "space_to_depth_size", "SpaceToDepth", [f(1, 1, 3, 3)], "3|blocksize", blocksize=2)
    yield bad("shape", "range_step_zero", "Range", [scalar(0), scalar(4), scalar(0)], "delta|step|zero|0")
    yield bad("shape", "range_overflow", "Range", [scalar(0), scalar(HUGE), scalar(1)], "64 bits|large|memory|elements")
    yield bad("shape", "constant_of_shape_negative", "ConstantOfShape", [i(2, -3)], "-3")
    yield bad("shape", "constant_of_shape_overflow", "ConstantOfShape", [i(HUGE, HUGE)], "64 bits|large|memory")
    yield bad("shape", "eye_like_rank", "EyeLike", [f(2, 2, 2)], "2.*2.*2|rank|matrix")
    yield bad("shape", "reverse_sequence_lengths", "ReverseSequence", [f(3, 2), i(4, 1)], "4|3", batch_axis=1, time_axis=0)
    yield bad("shape", "reverse_sequence_axes", "ReverseSequence", [f(3, 2), i(1, 1, 1)], "axis|axes|batch", batch_axis=0, time_axis=0)
    yield bad("shape", "trilu_rank", "Trilu", [f(3)], "rank|2|3")
    yield bad("shape", "col2im_shape", "Col2Im", [f(1, 5, 4), i(5, 5), i(1, 5)], "5|blocks|columns")
    yield bad("shape", "flatten_axis", "Flatten", [f(2, 3)], "axis|9", axis=9)


def indexing():
    yield bad("indexing", "gather_index", "Gather", [f(3, 2), i(0, 5)], "5")
    yield bad("indexing", "gather_index_below", "Gather", [f(3, 2), i(-4)], "-4")
    yield bad("indexing", "gather_axis", "Gather", [f(3, 2), i(0)], "axis|6", axis=6)
    yield bad("indexing", "gather_scalar", "Gather", [scalar(1, np.float32), i(0)], "scalar|rank|axis|0")
    yield bad("indexing", "gather_elements_index", "GatherElements", [f(2, 2), np.array([[0, 7]])], "7")
    yield bad("indexing", "gather_elements_rank", "GatherElements", [f(2, 2), i(0)], "rank|2")
    yield bad("indexing", "gather_nd_index", "GatherND", [f(2, 2), np.array([[0, 9]])], "9")
    yield bad("indexing", "gather_nd_too_long", "GatherND", [f(2, 2), np.zeros((1, 3), np.int64)], "3|2")
    yield bad("indexing", "gather_nd_batch", "GatherND", [f(2, 2), np.zeros((3, 1), np.int64)], "batch|2|3", batch_dims=1)
    yield bad("indexing", "scatter_elements_index", "ScatterElements", [f(3), i(5), f(1)], "5")
    yield bad("indexing", "scatter_elements_updates", "ScatterElements", [f(3), i(1, 2), f(3)], "updates|2|3")
    yield bad("indexing", "scatter_nd_index", "ScatterND", [f(4), np.array([[8]]), f(1)], "8")
    yield bad("indexing", "scatter_nd_updates", "ScatterND", [f(4), np.array([[1]]), f(3)], "updates|3")
    yield bad("indexing", "scatter_reduction", "ScatterND", [f(4), np.array([[1]]), f(1)], "reduction|median", reduction="median", opset=18)
    yield bad("indexing", "one_hot_depth", "OneHot", [i(0, 1), scalar(-3), f(2)], "depth|-3")
    yield bad("indexing", "one_hot_values", "OneHot", [i(0, 1), scalar(3), f(3)], "values|2|3")
    yield bad("indexing", "one_hot_overflow", "OneHot", [i(0, 1), scalar(HUGE), f(2)], "64 bits|large|memory")
    yield bad("indexing", "compress_axis", "Compress", [f(2, 2), np.array([True])], "axis|4", axis=4)
    yield bad("indexing", "tensor_scatter_bounds", "TensorScatter", [f(1, 2, 3), f(1, 2, 3), i(4)], "4|2", opset=24)


def reduction():
    yield bad("reduction", "axis", "ReduceSum", [f(2, 3), i(4)], "4")
    yield bad("reduction", "max_of_nothing_int", "ReduceMax", [np.zeros((0, 2), np.float16), i(9)], "9")
    yield bad("reduction", "argmax_axis", "ArgMax", [f(2, 3)], "7", axis=7)
    yield bad("reduction", "argmax_of_nothing", "ArgMax", [f(0, 3)], "empty|0", axis=0)
    yield bad("reduction", "topk_k", "TopK", [f(3), i(5)], "5|3", outputs=2)
    yield bad("reduction", "topk_negative", "TopK", [f(3), i(-1)], "-1", outputs=2)
    yield bad("reduction", "topk_k_rank", "TopK", [f(3), i(1, 2)], "k|one", outputs=2)
    yield bad("reduction", "softmax_axis", "Softmax", [f(2, 3)], "axis|8", axis=8)
    yield bad("reduction", "cumprod_axis", "CumProd", [f(2), scalar(3)], "3", opset=26)


def product():
    yield bad("product", "matmul_inner", "MatMul", [f(2, 3), f(4, 5)], "3.*4|2.*3")
    yield bad("product", "matmul_scalar", "MatMul", [scalar(1, np.float32), f(2, 2)], "scalar|rank|0")
    yield bad("product", "matmul_batch", "MatMul", [f(2, 2, 2), f(3, 2, 2)], "2.*3|broadcast")
    yield bad("product", "gemm_inner", "Gemm", [f(2, 3), f(4, 5)], "3|4")
    yield bad("product", "gemm_rank", "Gemm", [f(2, 3, 1), f(3, 5)], "rank|2|matri")
    yield bad("product", "gemm_bias", "Gemm", [f(2, 3), f(3, 5), f(4)], "4|C|broadcast")
    yield bad("product", "einsum_equation", "Einsum", [f(2, 3), f(4, 5)], "3|4|j", equation="ij,jk->ik")
    yield bad("product", "einsum_text", "Einsum", [f(2, 3)], "equation|->|ij", equation="i j->->")
    yield bad("product", "einsum_operands", "Einsum", [f(2, 3)], "operand|input|2|1", equation="ij,jk->ik")
    yield bad("product", "conv_channels", "Conv", [f(1, 3, 5, 5), f(2, 4, 3, 3)], "3|4|channels")
    yield bad("product", "conv_rank", "Conv", [f(1, 3), f(2, 3, 3, 3)], "rank|2|3")
    yield bad("product", "conv_kernel_shape", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "kernel_shape|5", kernel_shape=[5, 5])
    yield bad("product", "conv_stride_zero", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "stride", strides=[0, 1])
    yield bad("product", "conv_group", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "group", group=2)
    yield bad("product", "conv_bias", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3), f(5)], "bias|B|5|2")
    yield bad("product", "conv_window", "Conv", [f(1, 3, 2, 2), f(2, 3, 3, 3)], "2|3|window|kernel")
    yield bad("product", "conv_pads_length", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "pads", pads=[1, 1])
    yield bad("product", "conv_auto_pad", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "auto_pad|BOTH", auto_pad="BOTH")
    yield bad("product", "conv_dilation", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "dilation", dilations=[0, 1])
    yield bad("product", "conv_pads_huge", "Conv", [f(1, 3, 5, 5), f(2, 3, 3, 3)], "pads|overflow|large|big", pads=[HUGE] * 4)
    yield bad("product", "conv_transpose_channels", "ConvTranspose", [f(1, 3, 5, 5), f(4, 2, 3, 3)], "3|4")
    yield bad("product", "matmul_integer_inner", "MatMulInteger", [np.ones((2, 3), np.uint8), np.ones((4, 5), np.uint8)], "3|4")
    yield bad("product", "det_not_square", "Det", [f(2, 3)], "square|2.*3")


def window():
    yield bad("window", "pool_kernel_rank", "MaxPool", [f(1, 1, 5, 5)], "kernel_shape|3", kernel_shape=[3])
    yield bad("window", "pool_kernel_zero", "MaxPool", [f(1, 1, 5, 5)], "kernel_shape|0", kernel_shape=[0, 3])
    yield bad("window", "pool_stride_zero", "AveragePool", [f(1, 1, 5, 5)], "stride", kernel_shape=[3, 3], strides=[0, 1])
    yield bad("window", "pool_rank", "AveragePool", [f(5, 5)], "rank|2|3", kernel_shape=[3, 3])
    yield bad("window", "pool_pads_negative", "MaxPool", [f(1, 1, 5, 5)], "pads|-1", kernel_shape=[3, 3], pads=[-1, 0, 0, 0])
    yield bad("window", "lp_pool_p", "LpPool", [f(1, 1, 5, 5)], "p|0", kernel_shape=[3, 3], p=0)
    yield bad("window", "resize_scales_and_sizes", "Resize", [f(1, 1, 4, 4), None, f(4), i(1, 1, 8, 8)], "scales|sizes")
    yield bad("window", "resize_scales_length", "Resize", [f(1, 1, 4, 4), None, f(3)], "scales|3|4")
    yield bad("window", "resize_scale_zero", "Resize", [f(1, 1, 4, 4), None, np.array([1, 1, 0, 1], np.float32)], "scale|0")
    yield bad("window", "resize_scale_nan", "Resize", [f(1, 1, 4, 4), None, np.array([1, 1, np.nan, 1], np.float32)], "scale|nan")
    yield bad("window", "resize_scale_huge", "Resize", [f(1, 1, 4, 4), None, np.array([1, 1, 1e30, 1e30], np.float32)], "64 bits|large|memory|scale")
    yield bad("window", "resize_mode", "Resize", [f(1, 1, 4, 4), None, f(4)], "mode|quartic", mode="quartic")
    yield bad("window", "resize_transformation", "Resize", [f(1, 1, 4, 4), None, f(4)], "coordinate|diagonal", coordinate_transformation_mode="diagonal")
    yield bad("window", "upsample_scale", "Upsample", [f(1, 1, 4, 4), f(2)], "scales|2|4", opset=9)
    yield bad("window", "grid_sample_last_dim", "GridSample", [f(1, 1, 4, 4), f(1, 2, 2, 3)], "3|2|grid")
    yield bad("window", "grid_sample_batch", "GridSample", [f(2, 1, 4, 4), f(1, 2, 2, 2)], "batch|2|1|N")
    yield bad("window", "roi_align_batch_index", "RoiAlign", [f(1, 1, 4, 4), f(1, 4), i(3)], "3|batch")
    yield bad("window", "roi_align_rois", "RoiAlign", [f(1, 1, 4, 4), f(1, 5), i(0)], "5|4|rois")
    yield bad("window", "nms_boxes", "NonMaxSuppression", [f(1, 3, 5), f(1, 1, 3)], "5|4|boxes")
    yield bad("window", "nms_scores", "NonMaxSuppression", [f(1, 3, 4), f(1, 1, 2)], "scores|2|3")
    yield bad("window", "max_unpool_index", "MaxUnpool", [f(1, 1, 1, 1), np.full((1, 1, 1, 1), 99, np.int64)], "99", kernel_shape=[2, 2])
    yield bad("window", "max_roi_pool_shape", "MaxRoiPool", [f(1, 1, 4, 4), np.array([[5, 0, 0, 1, 1]], np.float32)], "5|batch", pooled_shape=[2, 2])
    yield bad("window", "deform_conv_offset", "DeformConv", [f(1, 1, 4, 4), f(1, 1, 2, 2), f(1, 3, 3, 3)], "3|8|offset", opset=19)
    yield bad("window", "affine_grid_size", "AffineGrid", [f(1, 2, 3), i(1, 1, -2, 2)], "-2|size", opset=20)


def normalization():
    yield bad("normalization", "batch_norm_scale", "BatchNormalization", [f(1, 3, 2), f(2), f(3), f(3), f(3)], "2|3|scale")
    yield bad("normalization", "layer_norm_axis", "LayerNormalization", [f(2, 3), f(3)], "axis|7", axis=7)
    yield bad("normalization", "layer_norm_scale", "LayerNormalization", [f(2, 3), f(5)], "5|3|[Ss]cale")
    yield bad("normalization", "instance_norm_scale", "InstanceNormalization", [f(1, 3, 2), f(2), f(3)], "2|3|scale")
    yield bad("normalization", "group_norm_groups", "GroupNormalization", [f(1, 4, 2), f(4), f(4)], "groups|3|4", num_groups=3)
    yield bad("normalization", "group_norm_zero", "GroupNormalization", [f(1, 4, 2), f(4), f(4)], "groups|0", num_groups=0)
    yield bad("normalization", "lrn_size", "LRN", [f(1, 4, 2, 2)], "size|0", size=0)
    yield bad("normalization", "lp_axis", "LpNormalization", [f(2, 3)], "axis|5", axis=5)
    yield bad("normalization", "rms_axis", "RMSNormalization", [f(2, 3), f(3)], "axis|9", axis=9, opset=23)
    yield bad("normalization", "skip_layer_norm_gamma", "SkipLayerNormalization", [f(1, 2, 3), f(1, 2, 3), f(4)], "4|3|gamma", domain=MS)
    yield bad("normalization", "skip_layer_norm_skip", "SkipLayerNormalization", [f(1, 2, 3), f(1, 5, 3), f(3)], "5|2|skip", domain=MS)
    yield bad("normalization", "embed_ids", "EmbedLayerNormalization", [np.array([[9]], np.int32), None, f(4, 2), f(4, 2), None, f(2), f(2)], "9|4", outputs=2, domain=MS)


def recurrent():
    for operator, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        x, w, r = f(2, 1, 3), f(1, gates * 4, 3), f(1, gates * 4, 4)
        yield bad("recurrent", f"{operator}_w", operator, [x, f(1, gates * 4, 5), r], "5|3|W", hidden_size=4)
        yield bad("recurrent", f"{operator}_r", operator, [x, w, f(1, gates * 4, 6)], "6|4|R", hidden_size=4)
        yield bad("recurrent", f"{operator}_b", operator, [x, w, r, f(1, 3)], "3|B", hidden_size=4)
        yield bad("recurrent", f"{operator}_lengths", operator, [x, w, r, None, np.array([7], np.int32)], "7|2|sequence_lens", hidden_size=4)
        yield bad("recurrent", f"{operator}_hidden_zero", operator, [x, w, r], "hidden_size|0|4", hidden_size=0)
        yield bad("recurrent", f"{operator}_activation", operator, [x, w, r], "[Ss]quare|activation", hidden_size=4, activations=["Square"] * 3)
        yield bad("recurrent", f"{operator}_direction", operator, [x, w, r], "direction|sideways", hidden_size=4, direction="sideways")
        yield bad("recurrent", f"{operator}_initial", operator, [x, w, r, None, None, f(1, 3, 4)], "3|1|initial_h", hidden_size=4)


def attention():
    yield bad("attention", "attention_heads", "Attention", [f(1, 2, 6), f(1, 2, 6), f(1, 2, 6)], "heads|4|6", q_num_heads=4, kv_num_heads=4, opset=23)
    yield bad("attention", "attention_mask", "Attention", [f(1, 1, 2, 4), f(1, 1, 3, 4), f(1, 1, 3, 4), f(5, 5)], "5|mask", opset=23)
    yield bad("attention", "attention_kv", "Attention", [f(1, 1, 2, 4), f(1, 1, 3, 4), f(1, 1, 2, 4)], "3|2", opset=23)
    yield bad("attention", "rotary_position", "RotaryEmbedding", [f(1, 1, 2, 4), f(3, 2), f(3, 2), np.array([[0, 8]])], "8|3", opset=23)
    yield bad("attention", "ms_attention_weights", "Attention", [f(1, 2, 4), f(5, 12), f(12)], "5|4", num_heads=2, domain=MS)
    yield bad("attention", "mha_heads", "MultiHeadAttention", [f(1, 2, 6), f(1, 2, 6), f(1, 2, 6)], "heads|4|6", num_heads=4, domain=MS)
    yield bad("attention", "gqa_heads", "GroupQueryAttention", [f(1, 1, 6), f(1, 1, 4), f(1, 1, 4), None, None, np.zeros(1, np.int32), np.ones(1, np.int32)], "heads|3|2", outputs=3, num_heads=3, kv_num_heads=2, domain=MS)
    yield bad("attention", "ms_rotary_cache", "RotaryEmbedding", [f(1, 2, 8), i(9), f(3, 2), f(3, 2)], "3|9|position|cache|2", domain=MS, num_heads=2)


def quantised():
    u8 = lambda *shape: np.ones(shape, np.uint8)
    one, zero = scalar(1, np.float32), scalar(0, np.uint8)
    yield bad("quantised", "quantize_axis_length", "QuantizeLinear", [f(2, 3), f(4), u8(4)], "4|3|scale", axis=1)
    yield bad("quantised", "quantize_axis", "QuantizeLinear", [f(2, 3), f(3), u8(3)], "axis|6", axis=6)
    yield bad("quantised", "dequantize_zero_point", "DequantizeLinear", [u8(2, 3), f(3), u8(2)], "zero|2|3", axis=1)
    yield bad("quantised", "dequantize_block", "DequantizeLinear", [u8(2, 4), f(2, 3)], "block|3|4", axis=1, block_size=2)
    yield bad("quantised", "qlinear_matmul_inner", "QLinearMatMul", [u8(2, 3), one, zero, u8(4, 5), one, zero, one, zero], "3|4")
    yield bad("quantised", "qlinear_conv_channels", "QLinearConv", [u8(1, 3, 4, 4), one, zero, u8(2, 5, 2, 2), one, zero, one, zero], "3|5")
    yield bad("quantised", "conv_integer_rank", "ConvInteger", [u8(1, 3), u8(2, 3, 2, 2)], "rank|2|3")
    yield bad("quantised", "qlinear_add_shapes", "QLinearAdd", [u8(2, 3), one, zero, u8(4, 5), one, zero, one, zero], "2.*3|broadcast", domain=MS)
    yield bad("quantised", "matmul_nbits_b", "MatMulNBits", [f(1, 32), u8(8, 3, 16), f(8)], "3|1|B", K=32, N=8, bits=4, block_size=32, domain=MS)
    yield bad("quantised", "matmul_nbits_bits", "MatMulNBits", [f(1, 32), u8(8, 1, 16), f(8)], "bits|5", K=32, N=8, bits=5, block_size=32, domain=MS)


def signal():
    yield bad("signal", "dft_axis", "DFT", [f(1, 4, 1), None, scalar(9)], "axis|9", opset=20)
    yield bad("signal", "dft_last_dim", "DFT", [f(1, 4, 3)], "3|last", opset=20)
    yield bad("signal", "dft_length", "DFT", [f(1, 4, 1), scalar(-2)], "-2|length", opset=20)
    yield bad("signal", "stft_step", "STFT", [f(1, 16, 1), scalar(0), f(4)], "step|0", opset=17)
    yield bad("signal", "window_size", "HannWindow", [scalar(-4)], "-4|size", opset=17)
    yield bad("signal", "mel_weights", "MelWeightMatrix", [scalar(4), scalar(8), scalar(0), scalar(0.0, np.float32), scalar(4.0, np.float32)], "sample|0|rate", opset=17)


def sequence():
    yield bad("random", "multinomial_rank", "Multinomial", [f(3)], "rank|batch", sample_size=2)
    yield bad("random", "random_normal_shape", "RandomNormal", [], "-2|shape", shape=[-2])
    yield bad("random", "dropout_ratio", "Dropout", [f(3), scalar(1.5, np.float32), scalar(True, bool)], "1.5|ratio", opset=13)


def text():
    words = np.array(["a b"], dtype=object)
    yield bad("text", "regex_pattern", "RegexFullMatch", [words], "pattern|\\(", pattern="(", opset=20)
    yield bad("text", "concat_shapes", "StringConcat", [np.array(["a", "b"], dtype=object), np.array(["a", "b", "c"], dtype=object)], "2|3|broadcast", opset=20)
    yield bad("text", "normalizer_rank", "StringNormalizer", [np.array([[["a"]]], dtype=object)], "rank|1.*1.*1|3", opset=10)
    yield bad("text", "normalizer_case", "StringNormalizer", [words], "case_change_action|TITLE", case_change_action="TITLE", opset=10)
    yield bad("text", "tfidf_pool", "TfIdfVectorizer", [i(1, 2)], "ngram|index|weights|length|7", mode="TF", min_gram_length=1, max_gram_length=1, max_skip_count=0, ngram_counts=[0], ngram_indexes=[7], pool_int64s=[1, 2], opset=9)


def ml():
    yield bad("ml", "array_feature_index", "ArrayFeatureExtractor", [f(1, 3), i(5)], "5|3", domain=ML)
    yield bad("ml", "label_encoder_lengths", "LabelEncoder", [i(1)], "keys|values|2|1", domain=ML, keys_int64s=[1, 2], values_int64s=[5])
    yield bad("ml", "scaler_length", "Scaler", [f(1, 3)], "2|3", domain=ML, offset=[0.0, 0.0], scale=[1.0, 1.0])
    yield bad("ml", "linear_regressor_coefficients", "LinearRegressor", [f(1, 3)], "2|3|coefficients", domain=ML, coefficients=[1.0] * 2, targets=1)
    yield bad("ml", "one_hot_unknown", "OneHotEncoder", [i(9)], "none of the", domain=ML, cats_int64s=[1, 2], zeros=0)
    yield bad("ml", "normalizer_norm", "Normalizer", [f(1, 3)], "L7|norm", domain=ML, norm="L7")
    tree = {"nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0, 0, 0], "nodes_values": [0.5, 0.0, 0.0], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"],
            "target_treeids": [0, 0], "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights": [1.0, 2.0], "n_targets": 1}
    yield bad("ml", "tree_cycle", "TreeEnsembleRegressor", [f(1, 1)], "cycle", domain=ML, **{**tree, "nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"]}, nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 2, 0])
    yield bad("ml", "tree_child", "TreeEnsembleRegressor", [f(1, 1)], "9", domain=ML, **tree, nodes_truenodeids=[9, 0, 0], nodes_falsenodeids=[2, 0, 0])
    yield bad("ml", "tree_feature", "TreeEnsembleRegressor", [f(1, 1)], "4|feature", domain=ML, **{**tree, "nodes_featureids": [4, 0, 0]}, nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0])


def switches():
    """Integers that say yes or no, with neither answer; and a divisor of zero."""
    for number in (-1, 2):
        yield bad("switches", f"keepdims_{number}", "ReduceSum", [f(2, 3), i(0)], f"keepdims = {number}", keepdims=number)
    yield bad("switches", "ceil_mode", "MaxPool", [f(1, 1, 4, 4)], "ceil_mode = 3", kernel_shape=[2, 2], ceil_mode=3)
    yield bad("switches", "trans_a", "Gemm", [f(2, 2), f(2, 2)], "transA = 7", transA=7)
    yield bad("switches", "exclusive", "CumSum", [f(3), scalar(0)], "exclusive = 2", exclusive=2)
    yield bad("switches", "largest", "TopK", [f(3), i(1)], "largest = -1", outputs=2, largest=-1)
    yield bad("switches", "is_causal", "Attention", [f(1, 1, 2, 2), f(1, 1, 2, 2), f(1, 1, 2, 2)], "is_causal = 2", opset=23, is_causal=2)
    yield bad("switches", "do_rotary", "GroupQueryAttention", [f(1, 1, 16), f(1, 1, 16), f(1, 1, 16), None, None, np.zeros(1, np.int32), np.ones(1, np.int32)], "do_rotary = 5", outputs=3, num_heads=1, kv_num_heads=1, do_rotary=5, domain=MS)
    yield bad("switches", "celu_alpha", "Celu", [f(3)], "alpha = 0 of Celu", alpha=0.0)


def cases():
    for family in (switches, elementwise, shape, indexing, reduction, product, window, normalization, recurrent, attention, quantised, signal, sequence, text, ml):
        yield from family()
