"""Core: words that look like names of a source's own, and are everybody's: placeholders, products, programs."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What everybody writes where a name of the reader's own goes.
PLACEHOLDERS = _words(
    """
    my your our foo bar baz qux quux spam eggs some example examples sample placeholder dummy custom xxx mymodel
    myapp mysite myproject yourapp yourproject yoursite whatever something todo fake hello
    """
)
# What modules of a reader's own project are called everywhere.
READERS_MODULES = _words(
    """
    views models forms serializers urls settings admin tasks signals utils helpers app apps main tests permissions
    filters config schemas handlers routers crud
    """
)
# Names of products and formats that are written in one word, as names of classes are.
PRODUCTS = _words(
    """
    ActiveMQ AppArmor AppEngine BitBucket ClickHouse CloudFlare CloudFormation CloudFront CloudWatch CockroachDB
    CouchDB DataBricks DataDog DeepSeek DigitalOcean DockerHub DynamoDB ElastiCache ElasticSearch FastAPI FireFox
    GitHub GitLab GraphQL GunIcorn HuggingFace InfluxDB InfiniBand JavaScript JetBrains LangChain LaTeX LibreOffice
    LinkedIn LlamaIndex MacBook MariaDB MathJax MemCached MongoDB MySQL NetBSD NodeJS NumPy OpenAI OpenAPI OpenBSD
    OpenCL OpenCV OpenGL OpenID OpenMP OpenMPI OpenSSH OpenSSL OpenShift OpenStack OpenTelemetry OpenVINO PayPal
    PostGIS PostScript PostgreSQL PowerShell PyCharm PyInstaller PyMongo PyMySQL PyPI PyPy PyTest PyTorch RabbitMQ
    ReadTheDocs RedHat SaltStack SciPy SharePoint SourceForge SpatiaLite StackOverflow SymPy TensorBoard TensorFlow
    TensorRT TimescaleDB TypeScript UnixODBC VMware VirtualBox VirtualEnv WebAssembly WebKit WebSocket WebSockets
    WordPress XGBoost YouTube ZooKeeper
    """
)
FILE_ENDINGS = _words(
    """
    py pyi pyc pyx pth cfg toml ini txt md rst html htm css js jsx ts tsx mjs json yaml yml xml csv tsv sh bash bat
    ps1 c cc cpp cxx h hpp cu cuh rs go java rb php so dll dylib exe zip gz tar whl egg log lock sql db sqlite3 env
    ipynb png jpg svg pdf service conf tex bin pt onnx gguf safetensors com org net io dev
    """
)
# Options of these are nobody's here; a sentence that names one of them is about it.
PROGRAMS = _words(
    """
    pip pip3 pipx uv uvx poetry pdm conda mamba npm npx yarn pnpm git gh docker docker-compose podman kubectl helm
    apt apt-get dnf yum brew make cmake ninja gcc g++ clang nvcc cargo rustc go java mvn gradle curl wget ssh scp
    rsync tar systemctl journalctl gunicorn uvicorn hypercorn celery pytest tox nox mypy ruff black flake8 node
    mysql psql sqlite3 redis-cli mongo aws gcloud az terraform ansible nginx torchrun mpirun srun nsys ncu py-spy
    gdb strace perf bash sh ldconfig nvidia-smi npu-smi pyinstaller sphinx compiler
    """
)
# Sentences with one of these words speak of what others have made.
OF_OTHERS = _words(
    """
    package packages library libraries plugin plugins plug-in third-party dependency dependencies distribution wheel
    wheels compiler driver drivers middleware-package add-on addon
    """
)
COMMON_FLAGS = _words(
    """
    --help --version --verbose --quiet --debug --force --yes --user --upgrade
    """
)
