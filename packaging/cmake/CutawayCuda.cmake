# Finds the CUDA toolkit: nvcc on PATH, under CUDA_HOME, or in /usr/local/cuda. Optional: without it the provider plans, and says at run time what is missing.
#
# CUTAWAY_CUDA_FOUND: the module is built. CUTAWAY_CUDNN_INCLUDE: the headers of cuDNN's front end (packaging/setup.sh fetches them); empty: the module is built without cuDNN.
# CUTAWAY_CUDA_ARCHITECTURES: what the module's kernels are compiled for; PTX for newer devices comes with the first.

option(CUTAWAY_CUDA "Build the module that runs on NVIDIA GPUs where the CUDA toolkit is found" ON)
set(CUTAWAY_CUDA_ARCHITECTURES "90" CACHE STRING "Architectures of the CUDA module, as CMAKE_CUDA_ARCHITECTURES")
set(CUTAWAY_CUDA_FOUND OFF)
if(CUTAWAY_CUDA AND NOT CUTAWAY_SANITIZE)
  find_program(CUTAWAY_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(CUTAWAY_NVCC)
    set(CMAKE_CUDA_COMPILER "${CUTAWAY_NVCC}")
    set(CMAKE_CUDA_ARCHITECTURES "${CUTAWAY_CUDA_ARCHITECTURES}")
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    if(CUTAWAY_CCACHE)
      set(CMAKE_CUDA_COMPILER_LAUNCHER "${CUTAWAY_CCACHE}")
    endif()
    find_package(CUDAToolkit QUIET)
    set(CUTAWAY_CUDA_FOUND ${CUDAToolkit_FOUND})
    find_path(CUTAWAY_CUDNN_INCLUDE cudnn_frontend.h PATHS "${CMAKE_SOURCE_DIR}/build/deps/cudnn_frontend/include" NO_DEFAULT_PATH)
    find_path(CUTAWAY_CUDNN_HEADERS cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(NOT CUTAWAY_CUDNN_INCLUDE OR NOT CUTAWAY_CUDNN_HEADERS)
      message(STATUS "cuDNN's headers were not found: the CUDA module runs convolutions and attention as its own kernels")
    endif()
  endif()
endif()
